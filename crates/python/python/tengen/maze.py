"""Mazes and grid maps: made, read, solved, and searched with a trace."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence, Tuple, cast

from ._tengen import maze_svg
from .search import Record, ask

Cell = Tuple[int, int]


class Maze:
    """A map of free cells and walls; cells are ``(row, column)``, 0-based from the top left."""

    def __init__(self, text: str) -> None:
        """Reads a 0/1 matrix, a MovingAI map or a drawing of ``#`` and ``.``."""
        body = ask("maze/import", text=text)
        self.text = text
        self.rows: int = body["rows"]
        self.cols: int = body["cols"]
        self.map: List[str] = body["map"]
        """One string per row: ``#`` wall, ``.`` free, ``2`` to ``9`` free at that cost."""
        self.start: Optional[Cell] = _pair(body.get("from"))
        self.goal: Optional[Cell] = _pair(body.get("to"))

    @staticmethod
    def generate(
        style: str = "backtracker",
        rows: int = 21,
        cols: int = 41,
        *,
        seed: int = 1,
        braid: Optional[float] = None,
        density: Optional[float] = None,
        room: Optional[int] = None,
    ) -> Maze:
        """Makes a map: ``backtracker``, ``prim``, ``kruskal``, ``wilson``, ``obstacles`` or ``rooms``."""
        body = ask("maze/generate", style=style, rows=rows, cols=cols, seed=seed, braid=braid, density=density, room=room)
        made = Maze("\n".join(body["map"]) + "\n")
        made.start, made.goal = _pair(body.get("from")), _pair(body.get("to"))
        return made

    def is_free(self, row: int, col: int) -> bool:
        return 0 <= row < self.rows and 0 <= col < self.cols and self.map[row][col] != "#"

    def solve(
        self,
        algorithm: str = "astar",
        *,
        start: Optional[Cell] = None,
        goal: Optional[Cell] = None,
        neighbours: Optional[str] = None,
        weight: Optional[float] = None,
        record: bool = False,
    ) -> Solution:
        """Finds a path with one of the fast searches; ``record`` keeps the search's events."""
        answer = ask(
            "maze/solve",
            map=self.text,
            algorithm=algorithm,
            neighbours=neighbours,
            weight=weight,
            record=record,
            **{"from": start or self.start, "to": goal or self.goal},
        )
        return Solution(self, answer)

    def costs(
        self,
        queries: Sequence[Tuple[Cell, Cell]],
        algorithm: str = "astar",
        *,
        neighbours: Optional[str] = None,
        weight: Optional[float] = None,
    ) -> List[Optional[float]]:
        """Costs of many paths, found on all cores; ``None`` where there is no path. Raises ``TimeoutError`` after 10 seconds."""
        flat = [[*start, *goal] for start, goal in queries]
        answer = ask(
            "maze/batch", map=self.text, queries=flat, algorithm=algorithm, neighbours=neighbours, weight=weight
        )
        if answer["unanswered"]:
            raise TimeoutError(f"{len(answer['unanswered'])} of {len(flat)} queries were not answered in time")
        return cast(List[Optional[float]], answer["costs"])

    def distances(
        self, goals: Sequence[Cell], *, start: Optional[Cell] = None, neighbours: Optional[str] = None
    ) -> List[Optional[float]]:
        """Cost of a cheapest path to each goal, by one search; ``None`` for goals that cannot be reached."""
        found: List[Optional[float]] = [None] * len(goals)
        for index, _, cost in self._nearest(goals, start, None, neighbours):
            found[index] = cost
        return found

    def nearest(
        self, goals: Sequence[Cell], count: int = 1, *, start: Optional[Cell] = None, neighbours: Optional[str] = None
    ) -> List[Tuple[Cell, float]]:
        """The goals that cost least to reach, with their costs, nearest first."""
        return [(goal, cost) for _, goal, cost in self._nearest(goals, start, count, neighbours)]

    def _nearest(
        self, goals: Sequence[Cell], start: Optional[Cell], count: Optional[int], neighbours: Optional[str]
    ) -> List[Tuple[int, Cell, float]]:
        origin = start or self.start
        if origin is None:
            raise ValueError("the map has no start: give one")
        answer = ask(
            "maze/nearest",
            map=self.text,
            goals=[list(goal) for goal in goals],
            count=count,
            neighbours=neighbours,
            **{"from": origin},
        )
        if not answer["complete"]:
            raise TimeoutError("the search did not end in time")
        return [(item["index"], (item["goal"][0], item["goal"][1]), item["cost"]) for item in answer["reached"]]

    def trace(
        self,
        algorithm: str = "astar",
        *,
        start: Optional[Cell] = None,
        goal: Optional[Cell] = None,
        neighbours: Optional[str] = None,
        heuristic: Optional[str] = None,
        weight: Optional[float] = None,
        keep: Optional[int] = None,
        nodes: Optional[int] = None,
    ) -> Record:
        """Records a search step by step (guide/en/records.md), with any heuristic, also a wrong one."""
        answer = ask(
            "explain/path",
            map=self.text,
            algorithm=algorithm,
            neighbours=neighbours,
            heuristic=heuristic,
            weight=weight,
            keep=keep,
            nodes=nodes,
            **{"from": start or self.start, "to": goal or self.goal},
        )
        return cast(Record, answer)

    def svg(self, path: Optional[List[Cell]] = None, closed: Optional[List[Cell]] = None, *, scale: int = 12) -> str:
        """A picture with a path and the cells a search closed, shaded by their order."""
        return maze_svg(self.text, path or [], closed or [], scale)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        return "\n".join(self.map)

    def __repr__(self) -> str:
        return f"<Maze {self.rows}x{self.cols}>"


class Solution:
    """What a search found."""

    def __init__(self, maze: Maze, answer: Dict[str, Any]) -> None:
        self.maze = maze
        self.result: str = answer["result"]
        """``found``, ``none`` (proved) or ``unknown`` (out of time)."""
        self.cost: Optional[float] = answer["cost"]
        self.path: List[Cell] = [(row, col) for row, col in answer["path"]]
        self.moves: Optional[str] = answer.get("moves")
        """``U`` ``D`` ``L`` ``R``, with 4 neighbours only."""
        self.expanded: int = answer["expanded"]
        self.seconds: float = answer["seconds"]
        """Of the search alone."""
        self.prepare_seconds: float = answer["prepare_seconds"]
        """Of what the algorithm makes of the map once, before the search."""
        self.memory_bytes: int = answer["memory_bytes"]
        self.events: List[List[Any]] = answer.get("events", [])

    def _repr_svg_(self) -> str:
        closed = [(event[1], event[2]) for event in self.events if event[0] == "close"]
        return self.maze.svg(self.path, closed)

    def __repr__(self) -> str:
        return f"<Solution {self.result}: cost {self.cost}, {self.expanded} cells expanded>"


def _pair(cell: Optional[List[int]]) -> Optional[Cell]:
    return None if cell is None else (cell[0], cell[1])
