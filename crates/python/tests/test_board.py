"""Boards: moves, results, notation, pictures, copies."""

import copy
import pickle
import xml.dom.minidom

import pytest

import tengen


def test_push_and_pop_restore_the_board():
    board = tengen.Board("gomoku")
    empty = board.copy()
    assert board.turn == "black" and len(board.legal_moves) == 225
    board.push("h8")
    board.push((0, 0))
    assert board.move_stack == ["h8", "a15"] and board.ply == 2 and board.turn == "black"
    assert board.at("h8") == "black" and board.at((0, 0)) == "white" and board.at("a1") is None
    assert board.cell("a15") == (0, 0) and board.move(7, 7) == "h8"
    assert board.pop() == "a15" and board.pop() == "h8"
    assert board == empty and board.key == empty.key
    with pytest.raises(IndexError):
        board.pop()


def test_five_in_a_row_ends_the_game():
    board = tengen.Board("gomoku", moves=["a1", "a2", "b1", "b2", "c1", "c2", "d1", "d2", "e1"])
    assert board.result() == "black" and board.is_game_over() and board.legal_moves == []
    assert board.winning_cells == [(14, col) for col in range(5)]
    with pytest.raises(tengen.IllegalMove, match="over"):
        board.push("h8")


def test_hex_has_a_winner_and_swap():
    board = tengen.Board("hex", 3, moves=["a1", "b1", "a2", "b2", "a3"])
    assert board.result() == "black"
    swap = tengen.Board("hex", 5, opening="swap-pieces", moves=["b1"])
    assert "swap-pieces" in swap.legal_moves
    swap.push("swap-pieces")
    assert swap.at("a2") == "white" and swap.pop() == "swap-pieces"


def test_renju_names_forbidden_points():
    text = "...............\n" * 5 + "......X........\n......X........\n....XX.........\n" + "...............\n" * 7
    board = tengen.Board.parse(text, rule="renju", to_move="black")
    assert board.forbidden == {"g8": "double-three"}
    assert not board.is_legal("g8") and "g8" not in board.legal_moves


@pytest.mark.parametrize(
    ("move", "message"),
    [("h8", "occupied"), ("z9", "not on the board"), ((15, 0), "not on the board"), ("what", "not a move")],
)
def test_bad_moves_say_what_is_wrong_and_change_nothing(move, message):
    board = tengen.Board("gomoku", moves=["h8"])
    with pytest.raises(tengen.IllegalMove, match=message):
        board.push(move)
    assert board.move_stack == ["h8"]


def test_bad_arguments_are_value_errors():
    for make in (
        lambda: tengen.Board("chess"),
        lambda: tengen.Board("gomoku", 99),
        lambda: tengen.Board("gomoku", 0),
        lambda: tengen.Board("gomoku", rule="chess"),
        lambda: tengen.Board.parse("?!"),
        lambda: tengen.Board.parse("h8", to_move="red"),
        lambda: tengen.Board.from_json("{}"),
    ):
        with pytest.raises(ValueError, match="."):
            make()
    with pytest.raises(TypeError):
        tengen.Board("gomoku").push(3.5)


def test_copies_and_pickles_are_equal_and_independent():
    board = tengen.Board("hex", 5, opening="swap-sides", moves=["c3", "b2"])
    for twin in (board.copy(), copy.deepcopy(board), pickle.loads(pickle.dumps(board))):
        assert twin == board and twin.canonical_key == board.canonical_key
        twin.push("a1")
        assert twin != board and board.ply == 2


def test_texts_are_read_back():
    board = tengen.Board("gomoku", moves=["h8", "i9", "g7"])
    assert tengen.Board.parse(board.sgf()).move_stack == board.move_stack
    assert tengen.Board.parse("h8i9g7") == board
    assert repr(board) == "<Board gomoku 15x15 freestyle 'h8i9g7'>"


def test_a_board_draws_itself():
    board = tengen.Board("hex", 4, moves=["b2"])
    assert xml.dom.minidom.parseString(board._repr_svg_()).documentElement.tagName == "svg"
    assert len(board.svg(marks=[("c3", "1")])) > len(board.svg())
    assert "X" in str(tengen.Board("gomoku", 5, moves=["c3"]))
    with pytest.raises(ValueError, match="pixels"):
        board.svg(cell=1e9)
