-- The last group of writes of each writer that is on disk. A group is written only if its number is higher than the one
-- here, so that a group whose COMMIT got no answer can be written again without doubling it.
CREATE TABLE writers (
    id TEXT PRIMARY KEY,
    number BIGINT NOT NULL,
    at BIGINT NOT NULL
);

-- Written and deleted to find out whether there is room for more.
CREATE TABLE probe (
    id BIGINT PRIMARY KEY,
    body TEXT NOT NULL
);

-- The client (address, IPv6 by /64) that created a row, for quotas; how large and how recent it is.
ALTER TABLE studies ADD COLUMN creator TEXT NOT NULL DEFAULT '';
ALTER TABLE studies ADD COLUMN size BIGINT NOT NULL DEFAULT 0;
ALTER TABLE bots ADD COLUMN creator TEXT NOT NULL DEFAULT '';
ALTER TABLE bots ADD COLUMN seen BIGINT NOT NULL DEFAULT 0;
ALTER TABLE puzzle_progress ADD COLUMN creator TEXT NOT NULL DEFAULT '';

UPDATE studies SET size = LENGTH(body);
UPDATE bots SET seen = created;

CREATE INDEX studies_by_creator ON studies (creator);
CREATE INDEX studies_by_age ON studies (changed);
CREATE INDEX bots_by_creator ON bots (creator);
CREATE INDEX progress_by_creator ON puzzle_progress (creator);
