"""Engines: moves, reports, limits, Ctrl-C, threads."""

import os
import signal
import threading
import time

import pytest

import tengen


@pytest.mark.parametrize(("game", "size"), [("gomoku", 15), ("hex", 5)])
def test_play_and_analyse_agree_with_one_thread_and_a_node_limit(game, size):
    board = tengen.Board(game, size)
    limit = tengen.Limit(nodes=500)
    moves = {tengen.Engine(game).play(board, limit).move for _ in range(2)}
    info = tengen.Engine(game).analyse(board, limit)
    assert moves == {info["move"]} and info["pv"][0] == info["move"]
    assert info["move"] in board.legal_moves and board.ply == 0
    assert 0 <= info["win_rate"] <= 1 and info["nodes"] > 0 and info["root"]


def test_it_finds_the_five():
    board = tengen.Board("gomoku", moves=["h8", "a1", "i8", "a2", "j8", "a3", "k8", "b1"])
    with tengen.Engine("gomoku") as engine:
        result = engine.play(board, tengen.Limit(depth=4))
        assert result.move in ("g8", "l8") and result.info["mate"] == 1
        assert engine.play(board, tengen.Limit(depth=4), root_moves=["o15"]).move == "o15"


def test_multipv_lists_different_moves_best_first():
    lines = tengen.Engine("gomoku").analyse(tengen.Board(moves=["h8"]), tengen.Limit(nodes=5000), multipv=3)
    assert len({line["move"] for line in lines}) == 3
    assert [line["score"] for line in lines] == sorted((line["score"] for line in lines), reverse=True)


def test_a_time_limit_is_kept():
    started = time.perf_counter()
    tengen.Engine("gomoku").play(tengen.Board(moves=["h8"]), tengen.Limit(time=0.1))
    # Generous: the machine may be busy with other tests.
    assert time.perf_counter() - started < 5


def test_other_threads_run_while_an_engine_thinks():
    counted = []
    done = threading.Event()

    def count():
        while not done.is_set():
            counted.append(1)
            time.sleep(0.005)

    thread = threading.Thread(target=count)
    thread.start()
    tengen.Engine("gomoku").play(tengen.Board(moves=["h8"]), tengen.Limit(time=0.3))
    done.set()
    thread.join()
    assert len(counted) > 3


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_stops_a_search(request):
    # A process that was started in the background ignores Ctrl-C, and so would this test.
    request.addfinalizer(lambda before=signal.getsignal(signal.SIGINT): signal.signal(signal.SIGINT, before))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    engine = tengen.Engine("gomoku")
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    started = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        engine.play(tengen.Board(moves=["h8"]), tengen.Limit(time=60))
    assert time.perf_counter() - started < 10
    assert engine.play(tengen.Board(), tengen.Limit(nodes=100)).move, "the engine can be used again"


def test_there_are_nine_levels_and_the_highest_is_the_default():
    board = tengen.Board(moves=["h8"])
    for level in map(str, range(1, 10)):
        assert tengen.Engine("gomoku").play(board, tengen.Limit(nodes=50, level=level)).move in board.legal_moves
    limits = [tengen.Limit(nodes=500, level="9"), tengen.Limit(nodes=500)]
    full, default = (tengen.Engine("gomoku").play(board, limit).info for limit in limits)
    assert (full["move"], full["nodes"]) == (default["move"], default["nodes"])


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="no such engine"):
        tengen.Engine("gomoku", "deep-blue")
    with pytest.raises(ValueError, match="colour"):
        tengen.Engine("gomoku", colour="red")
    engine = tengen.Engine("gomoku")
    for limit, message in [
        (tengen.Limit(time=-1), "seconds"),
        (tengen.Limit(level="god"), "level"),
        (tengen.Limit(level="10"), "1 .beginner. to 9"),
        (tengen.Limit(threads=0), "threads"),
        (tengen.Limit(memory=0), "memory"),
    ]:
        with pytest.raises(ValueError, match=message):
            engine.play(tengen.Board(), limit)
    with pytest.raises(tengen.EngineError, match="hex"):
        engine.play(tengen.Board("hex"), tengen.Limit(nodes=10))
    over = tengen.Board("hex", 1, moves=["a1"])
    with pytest.raises(tengen.EngineError):
        tengen.Engine("hex").play(over, tengen.Limit(nodes=10))
