"""Checks an installed package for `cargo xtask wheel`: it plays, and it is imported soon. Exits with 1 if not."""

import subprocess
import sys

import tengen

IMPORT = "import time; began = time.process_time(); import tengen; print(1000 * (time.process_time() - began))"
MOST = 100
"""Milliseconds of CPU time: what others do on the machine does not count."""


def import_time():
    """The best of ten new interpreters, in milliseconds."""
    command = [sys.executable, "-c", IMPORT]
    return min(float(subprocess.run(command, check=True, capture_output=True, text=True).stdout) for _ in range(10))


board = tengen.Board("gomoku", moves=["h8"])
board.push(tengen.Engine("gomoku").play(board, tengen.Limit(nodes=200)).move)
took = import_time()
print(f"tengen {tengen.__version__} plays, and is imported in {took:.0f} ms, at most {MOST}")
sys.exit(took >= MOST)
