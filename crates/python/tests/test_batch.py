"""Batches of boards as NumPy arrays, against single boards."""

import sys
import time

import numpy as np
import pytest

import tengen


@pytest.mark.parametrize(("game", "size"), [("gomoku", 9), ("hex", 6)])
def test_a_batch_plays_as_single_boards_do(game, size):
    rng = np.random.default_rng(5)
    batch = tengen.Batch(20, game, size)
    boards = [tengen.Board(game, size) for _ in range(20)]
    for _ in range(size * size):
        legal = batch.legal
        moves = np.full(20, -1)
        for at, board in enumerate(boards):
            cells = {row * size + col for row, col in map(board.cell, board.legal_moves)}
            assert set(np.flatnonzero(legal[at])) == cells
            if cells:
                moves[at] = rng.choice(sorted(cells))
                board.push((int(moves[at]) // size, int(moves[at]) % size))
        batch.step(moves)
        for at, board in enumerate(boards):
            stones = np.frombuffer(board.to_bytes(), dtype=np.int8).reshape(size, size)
            assert (batch.boards[at] == stones).all()
        assert (batch.to_move == [1 if board.turn == "black" else -1 for board in boards]).all()
    words = {"black": 1, "white": -1, "draw": 0, None: 0}
    assert (batch.winner == [words[board.result()] for board in boards]).all()
    assert batch.done.all() and all(board.is_game_over() for board in boards)
    batch.reset(np.arange(20) < 5)
    assert not batch.boards[:5].any() and batch.boards[5:].any() and batch.done.sum() == 15
    assert batch.moves(0) == [] and len(batch.moves(19)) == boards[19].ply


def test_an_illegal_move_is_named_and_nothing_is_played():
    batch = tengen.Batch(3)
    batch.step([112, 112, 112])
    for moves, message in [([0, 112, 0], "board 1: h8 is occupied"), ([0, 0, 225], "board 2: cell 225"), ([0, 0, 2**40], "board 2")]:
        with pytest.raises(tengen.IllegalMove, match=message):
            batch.step(moves)
    assert batch.boards.sum() == 3
    for moves in ([0], [0.5] * 3, [[0] * 3]):
        with pytest.raises(ValueError, match="accepted"):
            batch.step(moves)
    with pytest.raises(ValueError, match="accepted"):
        batch.reset([True])
    with pytest.raises(ValueError, match="boards"):
        tengen.Batch(0)


def gomoku_moves_per_second(count=1024, seconds=1.0):
    """Games of 40 random moves on one core, measured in CPU time; drawing the moves is not counted."""
    rng = np.random.default_rng(1)
    games = np.stack([rng.permutation(225)[:40] for _ in range(count)]).T.astype(np.int32)
    batch, spent, moves = tengen.Batch(count), 0.0, 0
    while spent < seconds:
        started = time.process_time()
        for row in games:
            batch.step(np.where(batch.done, -1, row))
        spent += time.process_time() - started
        moves += int(np.count_nonzero(batch.boards))
        batch.reset()
    return moves / spent


def test_a_batch_is_much_faster_than_single_boards():
    """A ratio in one run; `python test_batch.py` prints the figure itself."""
    rng = np.random.default_rng(1)
    game = rng.permutation(225)[:40]
    started, moves = time.process_time(), 0
    while time.process_time() - started < 0.3:
        board = tengen.Board()
        for cell in game:
            board.push((int(cell) // 15, int(cell) % 15))
            moves += 1
            if board.is_game_over():
                break
    single = moves / (time.process_time() - started)
    assert gomoku_moves_per_second(seconds=0.3) > 1.2 * single


if __name__ == "__main__":
    speed = gomoku_moves_per_second(seconds=3)
    print(f"{speed:,.0f} moves per second, at least 1,000,000")
    sys.exit(speed < 1_000_000)
