

# ---- What follows makes the program above one that a class can run: a board, a search, and the protocols. ----
def _tengen(game, size, depth, seconds, evaluate, pick):
    import json
    import sys
    import time

    class Board:
        """get(row, col) is 0 empty, 1 black, 2 white, -1 outside."""

        def __init__(self, rows, cols, cells):
            self.game, self.rows, self.cols, self.cells = game, rows, cols, cells

        def get(self, row, col):
            inside = 0 <= row < self.rows and 0 <= col < self.cols
            return self.cells[row * self.cols + col] if inside else -1

        def moves(self):
            return [divmod(at, self.cols) for at, stone in enumerate(self.cells) if stone == 0]

        def neighbours(self, row, col):
            steps = [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)]
            if game != "hex":
                steps += [(-1, -1), (1, 1)]
            return [(row + r, col + c) for r, c in steps if self.get(row + r, col + c) >= 0]

        def play(self, row, col, side):
            cells = bytearray(self.cells)
            cells[row * self.cols + col] = side
            return Board(self.rows, self.cols, bytes(cells))

        def winner(self):
            return self.joined() if game == "hex" else self.row()

        def row(self):
            for at, side in enumerate(self.cells):
                if not side:
                    continue
                r, c = divmod(at, self.cols)
                for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    if all(self.get(r + dr * k, c + dc * k) == side for k in range(1, 5)):
                        return side
            return 0

        def joined(self):
            for side in (1, 2):
                edge = [(0, i) if side == 1 else (i, 0) for i in range(self.cols if side == 1 else self.rows)]
                stack, seen = [cell for cell in edge if self.get(*cell) == side], set()
                while stack:
                    r, c = stack.pop()
                    if (r, c) in seen:
                        continue
                    seen.add((r, c))
                    if (r if side == 1 else c) == (self.rows if side == 1 else self.cols) - 1:
                        return side
                    stack += [cell for cell in self.neighbours(r, c) if self.get(*cell) == side]
            return 0

    class OutOfTime(Exception):
        pass

    def value(board, me, side, plies, alpha, beta, end):
        if time.monotonic() > end:
            raise OutOfTime
        winner = board.winner()
        if winner:
            return (1e6 + plies) * (1 if winner == me else -1)
        moves = board.moves()
        if not moves:
            return 0
        if plies == 0:
            return evaluate(board, me)
        for r, c in moves:
            got = value(board.play(r, c, side), me, 3 - side, plies - 1, alpha, beta, end)
            if side == me:
                alpha = max(alpha, got)
            else:
                beta = min(beta, got)
            if alpha >= beta:
                break
        return alpha if side == me else beta

    def search(board, me):
        """Alpha-beta with the program's evaluation, a ply deeper as long as there is time."""
        end, best = time.monotonic() + seconds, board.moves()[0]
        try:
            for plies in range(1, depth + 1):
                found, alpha = None, float("-inf")
                for r, c in board.moves():
                    got = value(board.play(r, c, me), me, 3 - me, plies - 1, alpha, float("inf"), end)
                    if found is None or got > alpha:
                        found, alpha = (r, c), got
                best = found
        except OutOfTime:
            pass
        return best

    board = Board(size, size, bytes(size * size))

    lead = 1  # who moves where both have as many stones

    def to_move():
        return lead if board.cells.count(1) == board.cells.count(2) else 3 - lead

    def answer(me):
        nonlocal board
        r, c = pick(board, me) if pick else search(board, me)
        board = board.play(r, c, me)
        return r, c

    def name(r, c):
        return chr(97 + c) + str(r + 1 if game == "hex" else board.rows - r)

    class Malformed(Exception):
        pass

    def free(row, col):
        """The cell, if a stone may be put there."""
        if board.get(row, col) != 0:
            raise Malformed
        return row, col

    def cell(word):
        if not word[1:].isdigit():
            raise Malformed
        number = int(word[1:])
        return free((number - 1 if game == "hex" else board.rows - number), ord(word[0].lower()) - 97)

    def numbers(words, count):
        if len(words) != count or not all(word.isdigit() for word in words):
            raise Malformed
        return [int(word) for word in words]

    def empty(rows, cols):
        if not (1 <= rows <= 30 and 1 <= cols <= 30):
            raise Malformed
        return Board(rows, cols, bytes(rows * cols))

    # What the program prints is for its log; only moves go to the referee.
    out, sys.stdout = sys.stdout, sys.stderr

    def say(text):
        print(text, file=out, flush=True)

    def gomocup(line):
        nonlocal board
        words = line.replace(",", " ").split()
        word = words[0].upper()
        if word == "START":
            (size,) = numbers(words[1:], 1)
            board = empty(size, size)
            say("OK")
        elif word == "RESTART":
            board = Board(board.rows, board.cols, bytes(len(board.cells)))
            say("OK")
        elif word in ("BEGIN", "TURN"):
            if word == "TURN":
                x, y = numbers(words[1:], 2)
                board = board.play(*free(y, x), to_move())
            r, c = answer(to_move())
            say(f"{c},{r}")
        elif word == "BOARD":
            lines = iter(lambda: sys.stdin.readline().strip(), "DONE")
            rows = [numbers(other.split(","), 3) for other in lines]
            own, others = (sum(row[2] == who for row in rows) for who in (1, 2))
            me = 1 if own == others else 2
            board = Board(board.rows, board.cols, bytes(len(board.cells)))
            for x, y, who in rows:
                board = board.play(*free(y, x), me if who == 1 else 3 - me)
            r, c = answer(me)
            say(f"{c},{r}")
        elif word == "ABOUT":
            say('name="own program", version="1"')
        elif word == "END":
            sys.exit()
        elif word != "INFO":
            say("UNKNOWN command")

    def side_of(words):
        if len(words) < 2 or words[1][0].lower() not in "bw":
            raise Malformed
        return 1 if words[1][0].lower() == "b" else 2

    def htp(words):
        nonlocal board
        known = "boardsize clear_board genmove list_commands name play protocol_version quit version"
        word, text = words[0], ""
        if word == "boardsize":
            sides = numbers(words[1:], len(words[1:3]))
            if not sides:
                raise Malformed
            board = empty(sides[-1], sides[0])
        elif word == "clear_board":
            board = Board(board.rows, board.cols, bytes(len(board.cells)))
        elif word == "play":
            if len(words) != 3:
                raise Malformed
            board = board.play(*cell(words[2]), side_of(words))
        elif word == "genmove":
            text = name(*answer(side_of(words)))
        elif word == "list_commands":
            text = known.replace(" ", "\n")
        elif word in ("name", "version", "protocol_version"):
            text = {"name": "own program", "version": "1", "protocol_version": "2"}[word]
        elif word != "quit":
            return say("? unknown command\n")
        say(f"= {text}\n")
        if word == "quit":
            sys.exit()

    def botzone(question):
        nonlocal board
        if "requests" in question:
            board = Board(size, size, bytes(size * size))
            turns = question["requests"][:-1], question["responses"]
            for pair in zip(*turns):
                for point in pair:
                    if point["x"] >= 0:
                        board = board.play(point["x"], point["y"], to_move())
            question = question["requests"][-1]
        if question["x"] >= 0:
            board = board.play(question["x"], question["y"], to_move())
        r, c = answer(to_move())
        say(json.dumps({"response": {"x": r, "y": c}}))
        say(">>>BOTZONE_REQUEST_KEEP_RUNNING<<<")

    own = ("boardsize", "clear_board", "genmove", "list_commands", "name", "play", "protocol_version", "quit", "version")
    speaks_htp = False
    for line in iter(sys.stdin.readline, ""):
        words = line.split()
        if not words:
            continue
        speaks_htp = speaks_htp or words[0] in own
        try:
            if words[0].startswith("{"):
                botzone(json.loads(line))
            elif words[0] == "finish":
                break
            elif words[0] == "change":
                # The opponent takes the opening stone, mirrored on the long diagonal.
                row, col = divmod(board.cells.index(1), board.cols)
                board, lead = empty(board.rows, board.cols).play(col, row, 2), 2
                say(name(*answer(1)))
            elif words[0] == "first" or words[0][:1].islower() and words[0][1:].isdigit():
                if words[0] != "first":
                    board = board.play(*cell(words[0]), to_move())
                say(name(*answer(to_move())))
            elif speaks_htp:
                htp(words)
            else:
                gomocup(line.strip())
        except Malformed:
            say("? malformed\n" if speaks_htp else "ERROR malformed")
