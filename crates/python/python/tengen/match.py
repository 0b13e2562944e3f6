"""Matches between Python functions and engines; the arena referees."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Callable, List, Optional, Union

from ._tengen import Board, play_games
from .engine import Limit

Player = Union[str, Callable[[Board], Any]]
"""A level (``"1"`` to ``"9"``), the name of an engine (``"classic-ac"``), or a function from a board to a move."""

LEVELS = (*map(str, range(1, 10)), "easy", "medium", "hard", "max")


@dataclass(frozen=True)
class GameResult:
    """One game of a match."""

    board: Board
    """The final position with all moves."""
    first: int
    """Who moved first: 0 or 1."""
    winner: Optional[int]
    """0, 1, or ``None`` for a draw."""
    reason: str
    """``five``, ``connection``, ``occupied``, ``illegal``, ``syntax`` (no move at all), ``timeout``, ``resign``, …"""
    detail: str

    def _repr_svg_(self) -> str:
        return self.board._repr_svg_()


@dataclass(frozen=True)
class MatchResult:
    """The games, and their sum for the first player given."""

    games: List[GameResult]

    @property
    def wins(self) -> int:
        return sum(game.winner == 0 for game in self.games)

    @property
    def losses(self) -> int:
        return sum(game.winner == 1 for game in self.games)

    @property
    def draws(self) -> int:
        return sum(game.winner is None for game in self.games)

    @property
    def score(self) -> float:
        """Points per game, 0 to 1."""
        return (self.wins + self.draws / 2) / len(self.games)

    def __repr__(self) -> str:
        return f"<MatchResult {self.wins} wins, {self.losses} losses, {self.draws} draws>"


def match(
    player: Player,
    opponent: Player = "medium",
    *,
    game: str = "gomoku",
    games: int = 2,
    size: Optional[int] = None,
    rule: str = "",
    limit: Limit = Limit(time=0.1),
    seconds: Optional[float] = None,
    seed: int = 1,
) -> MatchResult:
    """Plays games in which the players change places after each.

    ``limit`` is for engines, ``seconds`` per move for functions. A function gets a copy of the board and returns a move,
    or ``None`` to resign; an illegal move loses the game, an exception ends the match and is raised.
    """
    if games < 1:
        raise ValueError(f"games={games}; accepted: 1 or more")
    players = (_entrant(player, limit, seconds), _entrant(opponent, limit, seconds))
    rows = play_games(players, game, size, rule, games, seed)
    return MatchResult([GameResult(board, first, winner, reason, detail) for first, winner, reason, detail, board in rows])


class _Entrant:
    """A participant as the native module reads it."""

    def __init__(self, **fields: Any) -> None:
        self.__dict__.update(fields)


def _entrant(player: Player, limit: Limit, seconds: Optional[float]) -> _Entrant:
    if not isinstance(player, str):
        return _Entrant(function=player, label=getattr(player, "__name__", repr(player)), seconds=seconds)
    if player not in LEVELS:
        return _Entrant(name=player, options={}, spend=limit)
    return _Entrant(name="", options={}, spend=replace(limit, level=player))


