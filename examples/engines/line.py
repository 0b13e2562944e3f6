"""A Hex engine for the line protocol on 11x11: the free cell nearest to the centre. It never swaps."""
import sys

SIZE = 11
taken, mine = set(), None


def move():
    free = [(row, col) for row in range(SIZE) for col in range(SIZE) if (row, col) not in taken]
    row, col = min(free, key=lambda at: abs(at[0] - SIZE // 2) + abs(at[1] - SIZE // 2))
    taken.add((row, col))
    return row, col


for line in sys.stdin:
    word = line.strip().lower()
    if word == "finish":
        print("game over", flush=True)
        break
    if word == "change" and mine:
        # The opponent took over the opening stone: it lies mirrored on the long diagonal.
        taken = {(mine[1], mine[0])}
    elif word[:1].isalpha() and word[1:].isdigit():
        taken.add((int(word[1:]) - 1, ord(word[0]) - ord("a")))
    elif word != "first":
        print(f"error: {word!r} is not a move", flush=True)
        continue
    mine = move()
    print(f"{chr(ord('a') + mine[1])}{mine[0] + 1}", flush=True)
