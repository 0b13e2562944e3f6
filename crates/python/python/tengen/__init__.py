"""Gomoku, Hex and mazes: boards, engines, solvers and recorded searches.

>>> import tengen
>>> board = tengen.Board("gomoku")
>>> board.push("h8")
>>> engine = tengen.Engine("gomoku")
>>> engine.play(board, tengen.Limit(nodes=1000)).move in board.legal_moves
True
"""

from ._tengen import Board, EngineError, IllegalMove, __version__
from .batch import Batch
from .engine import Engine, Info, Limit, Line, PlayResult, RootMove
from .match import GameResult, MatchResult, match
from .maze import Maze
from .search import Proof, Puzzle, Record, Xray, explain, puzzles, solve, xray

__all__ = [
    "Batch",
    "Board",
    "Engine",
    "EngineError",
    "GameResult",
    "IllegalMove",
    "Info",
    "Limit",
    "Line",
    "MatchResult",
    "Maze",
    "PlayResult",
    "Proof",
    "Puzzle",
    "Record",
    "RootMove",
    "Xray",
    "__version__",
    "explain",
    "match",
    "puzzles",
    "solve",
    "xray",
]
