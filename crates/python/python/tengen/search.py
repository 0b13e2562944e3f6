"""Proofs, puzzles, recorded searches and evaluations taken apart: the requests of Tengen's API."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Optional, TypedDict, Union, cast

from ._tengen import Board, request

Record = Dict[str, Any]
"""A recorded search (guide/en/records.md): columns of numbers, one entry per node, playout or step."""

Xray = Dict[str, Any]
"""An evaluation taken apart: its score is the sum of its ``terms`` (``value``) and ``lines`` (``score``)."""


class Proof(TypedDict, total=False):
    """What was proved about the side to move."""

    question: str
    result: str
    """``win``, ``loss``, ``none`` (proved: no win of the kind asked for) or ``unknown`` (the budget ended first)."""
    line: List[str]
    winning_moves: List[Dict[str, Any]]
    undecided: List[Dict[str, Any]]
    nodes: int
    seconds: float


def ask(kind: str, **fields: Any) -> Any:
    """Sends a request and reads the answer; fields that are ``None`` are left out."""
    body = {key: value for key, value in fields.items() if value is not None}
    return json.loads(request(kind, json.dumps(body)))


def solve(
    board: Board,
    question: str = "",
    *,
    time: float = 10.0,
    nodes: Optional[int] = None,
    threads: Optional[int] = None,
) -> Proof:
    """Proves or refutes, for the side to move.

    Gomoku answers ``vcf`` (fours only), ``vct`` (fours and threes) and ``win``, its usual question; Hex answers ``winner``,
    its usual question, and ``winning-moves``.
    """
    question = question or {"gomoku": "win", "hex": "winner"}[board.game]
    line = json.loads(board.to_json())
    answer = ask("solve", **line, question=question, time_ms=int(time * 1000), nodes=nodes, threads=threads)
    return cast(Proof, answer)


def explain(
    position: Union[Board, str],
    algorithm: str = "alphabeta",
    *,
    engine: str = "",
    depth: Optional[int] = None,
    nodes: Optional[int] = None,
    keep: Optional[int] = None,
    playouts: Optional[int] = None,
    c: Optional[float] = None,
    seed: Optional[int] = None,
    width: Optional[int] = None,
    ordering: Optional[bool] = None,
) -> Record:
    """Records a search: ``minimax``, ``alphabeta``, ``alphabeta-tt``, ``uct`` or ``flat``.

    A text instead of a board is tic-tac-toe: nine cells of ``X``, ``O`` and ``.``.
    """
    place = {"tictactoe": position} if isinstance(position, str) else json.loads(position.to_json())
    record = ask(
        "explain",
        **place,
        algorithm=algorithm,
        engine=engine,
        depth=depth,
        nodes=nodes,
        keep=keep,
        playouts=playouts,
        c=c,
        seed=seed,
        width=width,
        ordering=ordering,
    )
    return cast(Record, record)


def xray(board: Board, engine: str = "") -> Xray:
    """What an engine's evaluation sees, part by part."""
    return cast(Xray, ask("xray", **json.loads(board.to_json()), engine=engine))


class Puzzle:
    """A position with a forced win to find."""

    def __init__(self, game: str, fields: Dict[str, Any]) -> None:
        self.game = game
        self.id: str = fields["id"]
        self.goal: str = fields["goal"]
        """The idea: ``vcf`` (fours only), ``vct`` (fours and threes), ``win``."""
        self.grade: int = fields["grade"]
        """1 (easy) to 5."""
        self.plies: int = fields["plies"]
        self.first_moves: List[str] = fields["first_moves"]
        """All first moves that were proved to win."""
        self.line: List[str] = fields["line"]
        """One whole winning line."""
        self._fields = fields

    @property
    def board(self) -> Board:
        """A new board of the position."""
        fields = self._fields
        size, rule = fields["size"][0], fields.get("rule", "")
        board = Board.parse(fields["position"], self.game, size, rule=rule)
        if board.turn != fields["side"]:
            board = Board.parse(fields["position"], self.game, size, rule=rule, to_move=fields["side"])
        return board

    def __repr__(self) -> str:
        return f"<Puzzle {self.id} grade {self.grade}: {self.goal} in {self.plies} plies>"


def puzzles(game: str = "gomoku") -> List[Puzzle]:
    """The puzzles that ship with a game, easy ones first."""
    return [Puzzle(game, fields) for fields in json.loads(request("puzzles", json.dumps(game)))]
