-- Bots on the standing ladder of a game. Its games are those whose creator is 'ladder'.
CREATE TABLE ladder_bots (
    bot TEXT NOT NULL,
    game TEXT NOT NULL,
    joined BIGINT NOT NULL,
    PRIMARY KEY (bot, game)
);

CREATE INDEX games_of_ladder ON games (creator, game, live, created);
