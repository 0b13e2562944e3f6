-- One header per game; what happens in it is in `events`, which is only ever appended to.
CREATE TABLE games (
    id TEXT PRIMARY KEY,
    game TEXT NOT NULL,
    setup TEXT NOT NULL,
    players TEXT NOT NULL,
    initial_ms BIGINT,
    increment_ms BIGINT,
    pace_ms BIGINT NOT NULL,
    visibility TEXT NOT NULL,
    first_secret TEXT NOT NULL,
    second_secret TEXT NOT NULL,
    owner_secret TEXT NOT NULL,
    first_bot TEXT,
    second_bot TEXT,
    created BIGINT NOT NULL,
    live BIGINT NOT NULL,
    result TEXT,
    reason TEXT
);

CREATE INDEX games_by_age ON games (visibility, created);
CREATE INDEX games_live ON games (live);
CREATE INDEX games_first_bot ON games (first_bot);
CREATE INDEX games_second_bot ON games (second_bot);

CREATE TABLE events (
    game_id TEXT NOT NULL,
    seq BIGINT NOT NULL,
    at BIGINT NOT NULL,
    first_ms BIGINT,
    second_ms BIGINT,
    what TEXT NOT NULL,
    PRIMARY KEY (game_id, seq)
);

CREATE TABLE bots (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    token TEXT NOT NULL,
    created BIGINT NOT NULL
);

-- Analysis boards and other documents a browser keeps here under an unguessable id.
CREATE TABLE studies (
    id TEXT PRIMARY KEY,
    secret TEXT NOT NULL,
    body TEXT NOT NULL,
    version BIGINT NOT NULL,
    changed BIGINT NOT NULL
);

-- When this server was last alive: clocks do not run while it is not.
CREATE TABLE heartbeat (
    id BIGINT PRIMARY KEY,
    at BIGINT NOT NULL
);
