"""An engine for the tests of `arena check`: plays the first free cell, and has one bad habit."""
import atexit, sys, time

protocol, habit = sys.argv[1], sys.argv[2]
size, taken, hoard = (15 if protocol == "gomocup" else 11), set(), []


buffer = []
atexit.register(lambda: sys.stdout.write("".join(buffer)))


def say(text):
    if habit == "no-flush":
        buffer.append(text + "\n")  # as a block-buffered pipe does, whatever PYTHONUNBUFFERED says
    else:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()


def choose():
    if habit == "crash":
        raise RuntimeError("no idea what to play")
    if habit == "crash-later" and len(taken) > 2:
        raise RuntimeError("no idea how to go on")
    if habit == "slow":
        time.sleep(1.5)
    if habit == "leak":
        hoard.append(b"x" * 12_000_000)
    if habit == "noise":
        say("thinking about it")
    y, x = next((y, x) for y in range(size) for x in range(size) if (y, x) not in taken)
    taken.add((y, x))
    return y, x


def gomocup(words, state):
    word = words[0]
    if word == "START":
        globals()["size"] = int(words[1])
        taken.clear()
        say("OK")
    elif word == "BOARD":
        state["list"] = True
        taken.clear()
    elif word in ("BEGIN", "TURN", "DONE"):
        state["list"] = False
        if word == "TURN":
            x, y = map(int, words[1].split(","))
            taken.add((y, x))
        y, x = choose()
        if habit == "swapped":
            x, y = y, x
        if habit == "from-one":
            x, y = x + 1, y + 1
        say(f"{x},{y}")
    elif state.get("list") and habit != "lost-board":
        x, y = map(int, words[0].split(",")[:2])
        taken.add((y, x))
    elif word == "END" and habit != "stay":
        sys.exit()
    elif word not in ("INFO", "END") and not state.get("list"):
        say("UNKNOWN command")


def line(words, _state):
    word = words[0]
    if word == "finish":
        sys.exit()
    if word == "change":
        if habit == "no-change":
            say("what?")
            return
        stones = [(x, y) for y, x in taken]
        taken.clear()
        taken.update(stones)
    elif word != "first":
        taken.add((int(word[1:]) - 1, ord(word[0]) - ord("a")))
    y, x = choose()
    say(chr(ord("a") + x) + str(y + 1))


state = {}
while True:
    text = sys.stdin.readline()
    if not text:
        if habit == "stay":
            time.sleep(3600)
        break
    words = text.split()
    if words:
        try:
            (gomocup if protocol == "gomocup" else line)(words, state)
        except (ValueError, IndexError):
            say("ERROR malformed")
