# %% [markdown]
# # 6. Monte Carlo tree search
#
# Another way to value a position: play it to the end at random, many times, and count who wins. No evaluation is needed, only
# the rules.

# %%
import random

import tengen

rng = random.Random(1)


def playout(board):
    """The winner of a game continued at random."""
    board = board.copy()
    while not board.is_game_over():
        board.push(rng.choice(board.legal_moves))
    return board.result()


board = tengen.Board("hex", 4)
wins = {}
for move in board.legal_moves:
    board.push(move)
    wins[move] = sum(playout(board) == "black" for _ in range(100))
    board.pop()
best = max(wins, key=wins.get)
print(best, wins[best], "of 100; the corner a1:", wins["a1"])
assert wins[best] > wins["a1"]

# %% [markdown]
# UCB1 weighs two things: the share of wins, w/n, and C times the root of ln N / n, which is large for moves that were tried rarely.
# A record has both terms for every step down the tree.

# %%
record = tengen.explain(board, "uct", playouts=400, c=1.4, seed=1)
print("w/n", record["exploitation"][-1], "exploration", record["exploration"][-1])
visits = sorted((row[1] for row in record["result"]["root"]), reverse=True)
print("visits of the root's moves:", visits)
assert sum(visits) == 400

# %% [markdown]
# With a small C the search looks deep at few moves; with a large one it spreads its games.

# %%
shares = {}
for c in (0.2, 1.4, 10):
    root = tengen.explain(board, "uct", playouts=400, c=c, seed=1)["result"]["root"]
    shares[c] = max(row[1] for row in root) / 400
    print(f"C = {c}: the favourite gets {shares[c]:.0%} of the playouts")
assert shares[0.2] > shares[10]
