# %% [markdown]
# # 3. Alpha-beta
#
# Alpha is what MAX is already sure of somewhere above; beta is what MIN is already sure of. As soon as they meet, the remaining
# moves cannot matter.

# %%
import tengen


class Counter:
    nodes = 0


def alphabeta(board, alpha=-1, beta=1):
    Counter.nodes += 1
    if board.is_game_over():
        return {"black": 1, "white": -1, "draw": 0}[board.result()]
    black = board.turn == "black"
    for move in board.legal_moves:
        board.push(move)
        value = alphabeta(board, alpha, beta)
        board.pop()
        if black:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
        if alpha >= beta:
            break
    return alpha if black else beta


# %%
board = tengen.Board("hex", 3)
value = alphabeta(board)
print("value", value, "with", Counter.nodes, "nodes")
assert value == 1, "the first player wins Hex"
assert Counter.nodes < 20_000, "minimax would need more than half a million"

# %% [markdown]
# The same answer for less: minimax, alpha-beta, and alpha-beta with a table of positions seen before, on one position.

# %%
nodes = {}
for algorithm in ("minimax", "alphabeta", "alphabeta-tt"):
    result = tengen.explain("X...O....", algorithm, depth=9)["result"]
    nodes[algorithm] = result["nodes"]
    print(f"{algorithm:14} value {result['value']}  {result['nodes']:6} nodes")
assert nodes["minimax"] > nodes["alphabeta"] > nodes["alphabeta-tt"]

# %% [markdown]
# A record names every cut: the node, the child that caused it, which bound it was, and how many moves were pruned.

# %%
record = tengen.explain("X...O....", "alphabeta", depth=9)
node, child, beta, bound, ply, pruned = record["cuts"][0]
print(f"{len(record['cuts'])} cuts; the first at node {node}: {'beta' if beta else 'alpha'} {bound}, {pruned} moves pruned")
assert len(record["cuts"]) == record["result"]["cutoffs"]
