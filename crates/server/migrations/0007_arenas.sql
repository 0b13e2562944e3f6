-- Private ladders. `ladder_bots.game` names the ladder that a bot is on: a game, for the public one, or the id of an arena.
-- The creator of an arena's games is 'ladder:' and its id.
CREATE TABLE arenas (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    setup TEXT NOT NULL,
    initial_ms BIGINT NOT NULL,
    increment_ms BIGINT NOT NULL,
    owner_secret TEXT NOT NULL,
    invitation TEXT NOT NULL,
    creator TEXT NOT NULL,
    created BIGINT NOT NULL
);

CREATE INDEX arenas_by_creator ON arenas (creator);
CREATE INDEX ladder_bots_of ON ladder_bots (game, joined);
