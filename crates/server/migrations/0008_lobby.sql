-- What the servers of a site know together; a server with SQLite has it in memory and leaves these tables empty.

-- Open challenges. `asked` is when the one who posted it last asked about it, `taken` when somebody last accepted it, both
-- by the database's clock; `game` is the game that comes of it, which exists or is being created.
CREATE TABLE challenges (
    id TEXT PRIMARY KEY,
    setup TEXT NOT NULL,
    clock TEXT,
    seat TEXT,
    name TEXT,
    secret TEXT NOT NULL,
    creator TEXT NOT NULL,
    created BIGINT NOT NULL,
    asked BIGINT NOT NULL,
    taken BIGINT NOT NULL,
    game TEXT
);

-- Which bots are connected to which server. A row counts as long as the server is alive; `latest` changes with every new
-- connection of the bot there.
CREATE TABLE online_bots (
    instance TEXT NOT NULL,
    bot TEXT NOT NULL,
    name TEXT NOT NULL,
    latest BIGINT NOT NULL,
    PRIMARY KEY (instance, bot)
);
