-- What a person, known by the hash of a secret alone, has done with each puzzle.
CREATE TABLE puzzle_progress (
    owner TEXT NOT NULL,
    game TEXT NOT NULL,
    puzzle TEXT NOT NULL,
    solved BIGINT NOT NULL,
    wrong BIGINT NOT NULL,
    hints BIGINT NOT NULL,
    changed BIGINT NOT NULL,
    PRIMARY KEY (owner, game, puzzle)
);
