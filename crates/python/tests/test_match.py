"""Matches between functions and levels."""

import os
import random
import signal
import threading
import time

import pytest

import tengen


def first_legal(board):
    return board.legal_moves[0]


def test_a_level_beats_the_first_legal_move():
    result = tengen.match(first_legal, "medium", games=2, limit=tengen.Limit(nodes=300))
    assert (result.wins, result.losses, result.draws) == (0, 2, 0)
    assert [game.first for game in result.games] == [0, 1]
    assert all(game.reason == "five" and game.board.is_game_over() for game in result.games)
    assert result.score == 0 and "2 losses" in repr(result)


def test_functions_meet_on_hex_and_are_repeatable():
    def by_chance(board, rng=random.Random(3)):
        row, col = board.cell(rng.choice(board.legal_moves))
        return row, col

    result = tengen.match(by_chance, first_legal, game="hex", size=4, games=4)
    assert result.wins + result.losses == 4 and result.draws == 0, "Hex has no draws"


def test_engines_by_name_meet():
    result = tengen.match("classic-minimax", "easy", game="hex", size=4, games=2, limit=tengen.Limit(nodes=200))
    assert len(result.games) == 2


@pytest.mark.parametrize(
    ("answer", "reason", "detail"),
    [
        ("h8", "occupied", "h8 is occupied"),
        ("nonsense", "syntax", "'nonsense' is not a move"),
        (3.5, "syntax", "3.5 is not a move"),
        ((99, 0), "illegal", "not on the board"),
    ],
)
def test_nonsense_loses_the_game_and_is_named(answer, reason, detail):
    def opponent(board):
        return "h8" if board.ply == 0 else "a1"

    result = tengen.match(lambda board: answer, opponent, games=2, seconds=5)
    game = result.games[1]
    assert game.winner == 1 and game.reason == reason
    assert detail in game.detail


def test_none_resigns():
    game = tengen.match(lambda board: None, "easy", games=1).games[0]
    assert game.winner == 1 and game.reason == "resign"


def test_an_exception_is_raised_with_its_own_traceback():
    def broken(board):
        return {}["no such key"]

    with pytest.raises(KeyError) as caught:
        tengen.match(broken, "easy", games=1)
    assert "broken" in [frame.name for frame in caught.traceback]


def test_a_function_out_of_time_loses():
    def slow(board):
        time.sleep(0.5)
        return board.legal_moves[0]

    game = tengen.match(slow, "easy", games=1, seconds=0.01, limit=tengen.Limit(nodes=10)).games[0]
    assert game.winner == 1 and game.reason == "timeout"


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("player", ["max", lambda board: time.sleep(60)])
def test_ctrl_c_ends_a_match(player):
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    started = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        tengen.match(player, "max", games=1, limit=tengen.Limit(time=60))
    assert time.perf_counter() - started < 10


def test_bad_input_is_named():
    for bad in (
        lambda: tengen.match(first_legal, "unheard-of"),
        lambda: tengen.match(3, "easy"),
        lambda: tengen.match(first_legal, games=0),
        lambda: tengen.match(first_legal, game="chess"),
        lambda: tengen.match(first_legal, seconds=-1),
    ):
        with pytest.raises(ValueError, match="accepted|function"):
            bad()
