"""A first program: plays a free point next to a stone, chosen at random. Speaks the Gomocup protocol."""
import random
import sys

random.seed(1)  # the same games every time
size = 15
stones = {}  # (x, y) -> 1 own, 2 opponent's


def choose():
    free = [(x, y) for x in range(size) for y in range(size) if (x, y) not in stones]
    near = [(x, y) for x, y in free if any((x + dx, y + dy) in stones for dx in (-1, 0, 1) for dy in (-1, 0, 1))]
    x, y = random.choice(near) if near else (size // 2, size // 2)
    stones[x, y] = 1
    print(f"{x},{y}", flush=True)


board = False
for line in sys.stdin:
    words = line.strip().replace(",", " ").split()
    command = words[0].upper() if words else ""
    if board and command != "DONE":
        if len(words) == 3:
            stones[int(words[0]), int(words[1])] = int(words[2])
    elif command == "START":
        size = int(words[1])
        stones.clear()
        print("OK", flush=True)
    elif command == "RESTART":
        stones.clear()
        print("OK", flush=True)
    elif command == "BEGIN":
        choose()
    elif command == "TURN" and len(words) == 3:
        stones[int(words[1]), int(words[2])] = 2
        choose()
    elif command == "BOARD":
        stones.clear()
        board = True
    elif command == "DONE":
        board = False
        choose()
    elif command == "ABOUT":
        print('name="Random player", version="1.0", author="Tengen"', flush=True)
    elif command == "END":
        break
    elif command and command != "INFO":
        print("UNKNOWN command", flush=True)
