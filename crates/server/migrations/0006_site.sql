-- Several servers on one database; a server with SQLite leaves these tables empty. What the servers of this site sign
-- their messages with: only they can read it.
CREATE TABLE site (
    id BIGINT PRIMARY KEY,
    signing_key TEXT NOT NULL
);

-- A server from its start, or from the moment it was found dead, until it is dead. `expires` is by the database's clock,
-- `at` is when it was last alive by its own: game clocks stand from then on.
CREATE TABLE instances (
    id TEXT PRIMARY KEY,
    version TEXT NOT NULL,
    started BIGINT NOT NULL,
    dead BIGINT NOT NULL,
    expires BIGINT NOT NULL,
    at BIGINT NOT NULL,
    games BIGINT NOT NULL,
    searches BIGINT NOT NULL,
    waiting BIGINT NOT NULL
);

-- Who runs a game. It holds as long as the owner is not dead.
CREATE TABLE leases (
    game_id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    epoch BIGINT NOT NULL
);

CREATE INDEX leases_by_owner ON leases (owner);
