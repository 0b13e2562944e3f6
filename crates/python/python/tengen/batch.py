"""Many boards at once as NumPy arrays, for programs that learn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Optional

from ._tengen import Boards

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray


class Batch:
    """Boards of one kind that are played in step.

    A move is a cell counted row by row, ``row * cols + col``. Needs NumPy.
    """

    def __init__(self, count: int, game: str = "gomoku", size: Optional[int] = None, *, rule: str = "") -> None:
        try:
            import numpy
        except ImportError as error:
            raise ImportError("tengen.Batch needs NumPy: pip install 'tengen[numpy]'") from error
        self._numpy = numpy
        self._boards = Boards(count, game, size, rule)
        self.count, self.rows, self.cols = self._boards.shape

    def __len__(self) -> int:
        return self.count

    @property
    def boards(self) -> NDArray[np.int8]:
        """``(count, rows, cols)``: 1 black, -1 white, 0 empty; a copy."""
        return self._array(self._boards.cells(), "int8").reshape(self.count, self.rows, self.cols)

    @property
    def to_move(self) -> NDArray[np.int8]:
        """1 black, -1 white."""
        return self._array(self._boards.to_move(), "int8")

    @property
    def legal(self) -> NDArray[np.bool_]:
        """``(count, rows * cols)``: the cells that may be played; none where the game is over."""
        return self._array(self._boards.legal(), "bool").reshape(self.count, self.rows * self.cols)

    @property
    def done(self) -> NDArray[np.bool_]:
        return self._array(self._boards.done(), "bool")

    @property
    def winner(self) -> NDArray[np.int8]:
        """1 black has won, -1 white has won, 0 neither (yet)."""
        return self._array(self._boards.winner(), "int8")

    def step(self, moves: ArrayLike) -> None:
        """Plays one move on every board; a move below 0 leaves its board alone.

        Raises ``IllegalMove``, with the number of the board, before anything is played.
        """
        given = self._numpy.asarray(moves)
        if given.ndim != 1 or given.dtype.kind not in "iu":
            raise ValueError(f"moves of shape {given.shape} and type {given.dtype}; accepted: a row of whole numbers")
        # A number that four bytes cannot hold is no cell either.
        cells = self._numpy.clip(given, -1, 2**31 - 1) if given.dtype.itemsize > 2 else given
        self._boards.step(cells.astype("<i4").tobytes())

    def reset(self, which: Optional[ArrayLike] = None) -> None:
        """Starts boards anew: those that are true in ``which``, or all."""
        if which is None:
            which = self._numpy.ones(self.count, dtype=bool)
        self._boards.reset(self._numpy.asarray(which, dtype=bool).tobytes())

    def moves(self, index: int) -> List[int]:
        """The moves of one board."""
        cells = self._boards.moves(index)
        return [row * self.cols + col for row, col in zip(cells[::2], cells[1::2])]

    def _array(self, data: bytearray, kind: str) -> NDArray[Any]:
        return self._numpy.frombuffer(data, dtype=kind)
