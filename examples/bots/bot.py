"""A bot for Tengen in plain Python: it plays a random legal move.

    TENGEN_TOKEN=… python3 bot.py [ws://127.0.0.1:7878/api/v1/bots/ws]

The token is made in the app (or with POST /api/v1/bots). Put your own thinking into `choose`.
"""
import base64, json, os, random, socket, struct, sys, time
from urllib.parse import urlparse


def choose(turn):
    # turn: game, you, ply, setup, moves, board (rows of . X O), legal (all legal moves), clock.
    return random.choice(turn["legal"])


class WebSocket:
    """The client half of RFC 6455, as far as a bot needs it."""

    def __init__(self, url, token):
        at = urlparse(url)
        self.sock = socket.create_connection((at.hostname, at.port or 80))
        key = base64.b64encode(os.urandom(16)).decode()
        self.sock.sendall(
            f"GET {at.path} HTTP/1.1\r\nHost: {at.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
        self.file = self.sock.makefile("rb")
        status = self.file.readline().decode()
        if " 101 " not in status:
            sys.exit(f"the server says: {status.strip()}")
        while self.file.readline().strip():
            pass

    def exactly(self, count):
        data = self.file.read(count)
        if len(data) < count:
            raise ConnectionError("the server is gone")
        return data

    def send(self, payload, opcode=1):
        size = len(payload)
        length, mask = bytes([128 | size]) if size < 126 else bytes([254]) + struct.pack(">H", size), os.urandom(4)
        self.sock.sendall(bytes([128 | opcode]) + length + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(payload)))

    def receive(self):  # the next text message; pings are answered on the way
        while True:
            opcode, size = self.exactly(2)
            if size == 126:
                (size,) = struct.unpack(">H", self.exactly(2))
            elif size == 127:
                (size,) = struct.unpack(">Q", self.exactly(8))
            payload = self.exactly(size)
            if opcode & 15 == 1:
                return json.loads(payload)
            if opcode & 15 == 8:
                raise ConnectionError("the server closed the connection")
            if opcode & 15 == 9:
                self.send(payload, 10)


def play(ws):
    while True:
        message = ws.receive()
        if message["type"] == "turn":
            answer = {"type": "move", "game": message["game"], "ply": message["ply"], "move": choose(message)}
        elif message["type"] == "offer":  # no answer would decline it too, a few seconds later
            answer = {"type": "action", "game": message["game"], "action": "decline-" + message["what"]}
        else:
            print(message, flush=True)
            continue
        ws.send(json.dumps(answer).encode())


while True:
    try:
        url = sys.argv[1] if len(sys.argv) > 1 else "ws://127.0.0.1:7878/api/v1/bots/ws"
        play(WebSocket(url, os.environ["TENGEN_TOKEN"]))
    except OSError as error:  # the server restarts: come back, it tells us our turns again
        print(error, flush=True)
        time.sleep(1)
