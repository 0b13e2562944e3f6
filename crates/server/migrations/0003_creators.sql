-- The client (address, IPv6 by /64) that created a game: its searches share one place in the engine pool.
ALTER TABLE games ADD COLUMN creator TEXT NOT NULL DEFAULT '';

CREATE INDEX games_by_creator ON games (creator, live);
