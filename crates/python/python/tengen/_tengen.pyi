"""Types of the native module."""

from typing import Any, Dict, List, Optional, Sequence, Tuple, Union, final

__all__ = [
    "Board",
    "Boards",
    "EngineError",
    "IllegalMove",
    "Thinker",
    "__version__",
    "maze_svg",
    "play_games",
    "request",
]

_Move = Union[str, Tuple[int, int]]

__version__: str

class IllegalMove(ValueError):
    """The rules do not allow this move; the board is unchanged."""

class EngineError(RuntimeError):
    """An engine gave no move."""

@final
class Board:
    """A board of Gomoku or Hex with its history.

    Moves are text in the game's notation (``"h8"``) or ``(row, column)``, 0-based from the top left.
    """

    def __new__(
        cls,
        game: str = "gomoku",
        size: Optional[int] = None,
        *,
        rule: str = "",
        opening: str = "",
        moves: Optional[Sequence[_Move]] = None,
    ) -> Board: ...
    @staticmethod
    def parse(
        text: str,
        game: str = "gomoku",
        size: Optional[int] = None,
        *,
        rule: str = "",
        opening: str = "",
        to_move: Optional[str] = None,
    ) -> Board:
        """Reads a position in any notation: a grid, a move string, SGF, JSON."""
    def to_json(self) -> str:
        """The set-up and the moves as JSON; ``from_json`` reads it."""
    @staticmethod
    def from_json(text: str) -> Board: ...
    @property
    def game(self) -> str: ...
    @property
    def rule(self) -> str: ...
    @property
    def rows(self) -> int: ...
    @property
    def cols(self) -> int: ...
    @property
    def turn(self) -> str:
        """``"black"`` or ``"white"``: the colour of the next stone."""
    @property
    def ply(self) -> int:
        """Moves played since the set-up."""
    @property
    def legal_moves(self) -> List[str]: ...
    @property
    def move_stack(self) -> List[str]:
        """The moves played, oldest first."""
    @property
    def winning_cells(self) -> List[Tuple[int, int]]:
        """The stones that won, in order along the row or chain."""
    @property
    def forbidden(self) -> Dict[str, str]:
        """Points forbidden to the side to move (Renju), with the reason of each."""
    @property
    def key(self) -> int:
        """A hash of board, side to move and rule state."""
    @property
    def canonical_key(self) -> int:
        """The same for all positions that a symmetry maps onto each other."""
    def is_legal(self, move: _Move) -> bool: ...
    def push(self, move: _Move) -> None:
        """Plays a move; raises ``IllegalMove`` and changes nothing if the rules do not allow it."""
    def pop(self) -> str:
        """Takes the last move back and returns it."""
    def is_game_over(self) -> bool: ...
    def result(self) -> Optional[str]:
        """``"black"``, ``"white"`` or ``"draw"``; ``None`` while the game goes on."""
    def at(self, move: _Move) -> Optional[str]:
        """The colour of the stone at a point; ``None`` where it is empty."""
    def cell(self, move: _Move) -> Tuple[int, int]:
        """Row and column of a move, 0-based from the top left."""
    def move(self, row: int, col: int) -> str:
        """The move at a row and column, in the game's notation."""
    def to_bytes(self) -> bytes:
        """Row by row from the top: 1 black, -1 white, 0 empty, a signed byte each."""
    def sgf(self) -> str: ...
    def svg(
        self,
        *,
        cell: float = 32.0,
        numbers: bool = False,
        coordinates: bool = True,
        marks: Optional[Sequence[Tuple[_Move, str]]] = None,
    ) -> str: ...
    def _repr_svg_(self) -> str: ...
    def copy(self) -> Board: ...
    def __copy__(self) -> Board: ...
    def __deepcopy__(self, memo: Any) -> Board: ...
    def __eq__(self, other: object, /) -> bool: ...

@final
class Thinker:
    name: str
    def __new__(cls, game: str, name: str, options: Dict[str, str]) -> Thinker: ...
    def think(
        self, board: Board, spend: Any, lines: int = 1, only: Optional[Sequence[_Move]] = None
    ) -> Tuple[str, str]: ...
    def new_game(self) -> None: ...

@final
class Boards:
    shape: Tuple[int, int, int]
    def __new__(cls, count: int, game: str, size: Optional[int], rule: str) -> Boards: ...
    def step(self, actions: bytes) -> None: ...
    def reset(self, which: bytes) -> None: ...
    def cells(self) -> bytearray: ...
    def winner(self) -> bytearray: ...
    def done(self) -> bytearray: ...
    def to_move(self) -> bytearray: ...
    def legal(self) -> bytearray: ...
    def moves(self, index: int) -> bytes: ...

def request(kind: str, body: str) -> str: ...
def maze_svg(map: str, path: List[Tuple[int, int]], closed: List[Tuple[int, int]], scale: int) -> str: ...
def play_games(
    players: Tuple[Any, Any], game: str, size: Optional[int], rule: str, games: int, seed: int
) -> List[Tuple[int, Optional[int], str, str, Board]]: ...
