"""A Hex engine that speaks HTP: the free cell nearest to the centre."""
import sys

rows = cols = 11
stones = {}
COMMANDS = "name version protocol_version list_commands known_command quit boardsize clear_board play genmove".split()


def name(row, col):
    return f"{chr(ord('a') + col)}{row + 1}"


def cell(word):
    return int(word[1:]) - 1, ord(word[0].lower()) - ord("a")


def genmove(colour):
    free = [(row, col) for row in range(rows) for col in range(cols) if (row, col) not in stones]
    best = min(free, key=lambda at: abs(2 * at[0] + 1 - rows) + abs(2 * at[1] + 1 - cols))
    stones[best] = colour
    return name(*best)


def answer(command, words):
    global rows, cols, stones
    if command == "boardsize":
        cols, rows, stones = int(words[0]), int(words[-1]), {}
    elif command == "clear_board":
        stones = {}
    elif command == "play":
        stones[cell(words[1])] = words[0][0].lower()
    elif command == "genmove":
        return genmove(words[0][0].lower())
    elif command == "known_command":
        return str(words[0] in COMMANDS).lower()
    elif command == "list_commands":
        return "\n".join(COMMANDS)
    elif command not in COMMANDS:
        raise ValueError(f"unknown command: {command}")
    else:
        return {"name": "first-htp", "version": "1", "protocol_version": "2"}.get(command, "")
    return ""


for line in sys.stdin:
    words = line.split("#")[0].split()
    if not words:
        continue
    number = words.pop(0) if words[0].isdigit() else ""
    try:
        print(f"={number} {answer(words[0], words[1:])}\n", flush=True)
    except (IndexError, ValueError) as error:
        print(f"?{number} {error}\n", flush=True)
    if words[:1] == ["quit"]:
        break
