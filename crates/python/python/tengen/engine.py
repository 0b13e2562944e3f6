"""Built-in engines, used as in python-chess: ``play`` for a move, ``analyse`` for what the engine thinks."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import List, Optional, Sequence, TypedDict, Union, cast, overload

from ._tengen import Board, Thinker


@dataclass(frozen=True)
class Limit:
    """What a search may spend. Without time, nodes and depth it is 1 second."""

    time: Optional[float] = None
    """Seconds for the move."""
    nodes: Optional[int] = None
    """Nodes, or playouts."""
    depth: Optional[int] = None
    """Plies."""
    threads: int = 1
    """Only one thread gives the same answer every time."""
    memory: int = 128
    """MiB for tables and trees."""
    seed: int = 1
    level: str = "9"
    """Playing strength: nine levels, from ``"1"`` for a beginner to ``"9"`` for the full engine."""

    def __post_init__(self) -> None:
        if self.time is None and self.nodes is None and self.depth is None:
            object.__setattr__(self, "time", 1.0)


class Line(TypedDict, total=False):
    """One principal line."""

    moves: List[str]
    score: float
    win_rate: float
    mate: int
    depth: int
    nodes: int


class RootMove(TypedDict, total=False):
    """One move of the root, in the order of the search."""

    move: str
    row: int
    col: int
    score: float
    win_rate: float
    bound: str
    nodes: int


class Info(TypedDict, total=False):
    """What a search says; all scores are for the side to move."""

    move: str
    pv: List[str]
    score: float
    win_rate: float
    mate: int
    """Proved end in plies: positive wins, negative loses."""
    depth: int
    selective_depth: int
    nodes: int
    seconds: float
    speed: float
    prune_ratio: float
    lines: List[Line]
    root: List[RootMove]


@dataclass(frozen=True)
class PlayResult:
    """The move chosen, and the report of the search."""

    move: str
    info: Info


Move = Union[str, "tuple[int, int]"]


class Engine:
    """A built-in engine with its memory.

    ``name`` is one of ``tengen engines``, the recommended one if empty; further keywords are its options. Searches run
    without the interpreter's lock, and Ctrl-C stops them.
    """

    def __init__(self, game: str = "gomoku", name: str = "", **options: object) -> None:
        words = {key.replace("_", "-"): _word(value) for key, value in options.items()}
        self.game = game
        self._thinker = Thinker(game, name, words)

    @property
    def name(self) -> str:
        return self._thinker.name

    def play(self, board: Board, limit: Limit = Limit(), *, root_moves: Optional[Sequence[Move]] = None) -> PlayResult:
        """Chooses a move, among ``root_moves`` if given. The board is not changed."""
        info = self._think(board, limit, 1, root_moves)
        return PlayResult(info["move"], info)

    @overload
    def analyse(self, board: Board, limit: Limit = ..., *, root_moves: Optional[Sequence[Move]] = None) -> Info: ...
    @overload
    def analyse(
        self, board: Board, limit: Limit = ..., *, multipv: int, root_moves: Optional[Sequence[Move]] = None
    ) -> List[Info]: ...
    def analyse(
        self,
        board: Board,
        limit: Limit = Limit(),
        *,
        multipv: Optional[int] = None,
        root_moves: Optional[Sequence[Move]] = None,
    ) -> Union[Info, List[Info]]:
        """What the engine thinks of a position; with ``multipv`` its best lines, best first."""
        info = self._think(board, limit, multipv or 1, root_moves)
        if multipv is None:
            return info
        return [cast(Info, {**info, **line, "pv": line["moves"], "move": line["moves"][0]}) for line in info["lines"]]

    def new_game(self) -> None:
        """Forgets everything learnt from earlier searches."""
        self._thinker.new_game()

    def quit(self) -> None:
        """Does nothing: the engine is part of this process. python-chess programs call it."""

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.quit()

    def __repr__(self) -> str:
        return f"<Engine {self.game} {self.name}>"

    def _think(self, board: Board, limit: Limit, lines: int, root_moves: Optional[Sequence[Move]]) -> Info:
        move, report = self._thinker.think(board, limit, lines, root_moves)
        info = cast(Info, {"move": move, **json.loads(report)})
        info["pv"] = info["lines"][0]["moves"] if info["lines"] else [move]
        return info


def _word(value: object) -> str:
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)
