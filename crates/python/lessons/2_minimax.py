# %% [markdown]
# # 2. Minimax
#
# One side, MAX, wants a high value; the other, MIN, a low one. The value of a position is the best value of its moves, seen by
# the side that chooses. Here it is in full, for any game that a `tengen.Board` can play.

# %%
import tengen

counted = 0


def minimax(board):
    """The value for black: 1 black wins, -1 white wins, 0 a draw."""
    global counted
    counted += 1
    if board.is_game_over():
        return {"black": 1, "white": -1, "draw": 0}[board.result()]
    values = []
    for move in board.legal_moves:
        board.push(move)
        values.append(minimax(board))
        board.pop()
    return max(values) if board.turn == "black" else min(values)


# %% [markdown]
# Hex on a board of three by three is small enough: the first player wins from the centre, as from nearly everywhere.

# %%
board = tengen.Board("hex", 3, moves=["b2"])
value = minimax(board)
print("value", value, "with", counted, "nodes")
assert value == 1 and board.ply == 1
board

# %% [markdown]
# The engine's own minimax comes to the same number for tic-tac-toe as the rules promise: best play is a draw.

# %%
record = tengen.explain(".........", "minimax", depth=9, keep=0)
print(record["result"]["value"], "after", record["result"]["nodes"], "nodes")
assert record["result"]["value"] == 0 and record["result"]["nodes"] == 549_945

# %% [markdown]
# Minimax makes no mistakes within its depth: it visits every line. Which of these nodes could have been left out without
# changing the answer?
