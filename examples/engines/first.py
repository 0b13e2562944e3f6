"""A Gomoku engine in thirty lines. It speaks the Gomocup protocol."""
import sys

size, stones = 15, {}  # (x, y) -> 1 own, 2 opponent's


def run(x, y, dx, dy, side):
    """How many stones of one side follow in one direction."""
    return 1 + run(x + dx, y + dy, dx, dy, side) if stones.get((x + dx, y + dy)) == side else 0


def score(point):
    """The longest line through a point; an own line counts more than one to block. Then the centre."""
    lines = [(d, side) for d in ((1, 0), (0, 1), (1, 1), (1, -1)) for side in (1, 2)]
    best = max(2 * (run(*point, dx, dy, side) + run(*point, -dx, -dy, side)) - side for (dx, dy), side in lines)
    return best, -sum(abs(at - size // 2) for at in point)


def move():
    x, y = max(((x, y) for x in range(size) for y in range(size) if (x, y) not in stones), key=score)
    stones[x, y] = 1
    return f"{x},{y}"


for line in sys.stdin:
    command, *words = line.split() or [""]
    answer = {"INFO": None, "ABOUT": 'name="first", version="1"'}.get(command, "UNKNOWN")
    if command in ("START", "RESTART"):
        size, stones, answer = int((words or [size])[0]), {}, "OK"
    elif command == "BOARD":
        rows = (row.split(",") for row in iter(lambda: sys.stdin.readline().strip(), "DONE"))
        stones = {(int(x), int(y)): int(side) for x, y, side in rows}
        answer = move()
    elif command in ("BEGIN", "TURN"):
        stones.update({tuple(map(int, word.split(","))): 2 for word in words})
        answer = move()
    elif command == "END":
        break
    if answer:
        print(answer, flush=True)
