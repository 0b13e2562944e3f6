"""Proofs, puzzles, records, evaluations, mazes."""

import json
import math
import subprocess
import sys

import pytest

import tengen


def test_puzzles_are_won_as_they_say():
    for game in ("gomoku", "hex"):
        puzzle = tengen.puzzles(game)[0]
        board = puzzle.board
        assert all(board.is_legal(move) for move in puzzle.first_moves)
        proof = tengen.solve(board, puzzle.goal if game == "gomoku" else "", time=30)
        assert proof["result"] == "win"
        for move in puzzle.line:
            board.push(move)
    assert len(tengen.puzzles()) > 10


def test_an_empty_board_has_no_win_by_fours():
    assert tengen.solve(tengen.Board(), "vcf")["result"] == "none"
    with pytest.raises(ValueError, match="vcf"):
        tengen.solve(tengen.Board(), "nonsense")


def test_a_record_is_the_search_itself():
    minimax = tengen.explain("XO..X...O", "minimax", depth=9)
    alphabeta = tengen.explain("XO..X...O", "alphabeta", depth=9)
    assert minimax["result"]["value"] == alphabeta["result"]["value"] == 1
    assert len(minimax["parent"]) - 1 == minimax["result"]["nodes"] > alphabeta["result"]["nodes"]
    board = tengen.Board("gomoku", moves=["h8", "i9"])
    record = tengen.explain(board, "alphabeta", depth=2, engine="classic-ac")
    assert record["format"] == "tengen-record" and record["board"][7][7] == "X"
    playouts = tengen.explain(tengen.Board("hex", 3), "uct", playouts=50, seed=2)
    assert len(playouts["results"]) == playouts["result"]["playouts"] == 50


def test_an_evaluation_is_the_sum_of_its_terms():
    board = tengen.Board("gomoku", moves=["h8", "i9", "h9"])
    seen = tengen.xray(board, "classic-ac")
    parts = [term["value"] for term in seen["terms"]] + [line["score"] for line in seen["lines"]]
    assert seen["score"] > 0 and math.isclose(seen["score"], sum(parts), abs_tol=1e-6)


def test_many_paths_and_many_goals_agree_with_single_searches():
    maze = tengen.Maze("S..#.\n.#...\n...#G\n####.\n.....\n")
    goals = [(0, 4), (2, 0), (4, 0), (0, 1)]
    single = [maze.solve(goal=goal).cost for goal in goals]
    assert maze.costs([(maze.start, goal) for goal in goals]) == single
    assert maze.distances(goals) == single
    assert maze.nearest(goals, 2) == [((0, 1), 1.0), ((2, 0), 2.0)]
    walled = tengen.Maze("..#.\n..#.\n")
    assert walled.costs([((0, 0), (0, 3)), ((0, 0), (1, 1))]) == [None, 2.0]
    assert walled.distances([(0, 3)], start=(0, 0)) == [None]
    with pytest.raises(ValueError, match="wall"):
        walled.costs([((0, 0), (0, 2))])
    any_angle = tengen.Maze("....\n....\n....\n").solve("anyangle", start=(0, 0), goal=(2, 3))
    assert any_angle.path == [(0, 0), (2, 3)] and any_angle.memory_bytes > 0


def test_mazes_are_solved_alike_by_every_search():
    maze = tengen.Maze.generate("prim", 15, 21, seed=4, braid=0.3)
    costs = {maze.solve(name).cost for name in ("bfs", "dijkstra", "astar", "jps")}
    assert len(costs) == 1
    found = maze.solve("astar", record=True)
    assert found.path[0] == maze.start and found.path[-1] == maze.goal and len(found.moves) == found.cost
    assert all(maze.is_free(*cell) for cell in found.path)
    assert "svg" in found._repr_svg_() and "svg" in maze._repr_svg_()
    trace = maze.trace("astar", heuristic="squared")
    assert trace["result"]["overestimates"] > 0 and trace["event"]
    walled = tengen.Maze("S#G\n")
    assert walled.solve().result == "none"


def test_bad_maps_say_where():
    with pytest.raises(ValueError, match="line 2, column"):
        tengen.Maze("0 1 0\n0 x 0\n")
    with pytest.raises(ValueError, match="algorithm"):
        tengen.Maze("S.G\n").solve("magic")
    with pytest.raises(ValueError, match="outside"):
        tengen.Maze("S.G\n").svg([(5, 5)])


def test_import_needs_neither_numpy_nor_pettingzoo():
    code = "import sys, tengen; print(sorted({'numpy', 'pettingzoo', 'gymnasium'} & set(sys.modules)))"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(answer.stdout) == []
