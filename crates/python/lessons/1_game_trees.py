# %% [markdown]
# # 1. Game trees
#
# Take a position of tic-tac-toe near its end. Whoever is to move has a few choices, and each choice makes a new position.
# `tengen.explain` searches a position and returns a record of everything the search did.

# %%
import tengen

position = "XO.OX...."
one_ply = tengen.explain(position, "minimax", depth=1)
"\n".join(one_ply["board"]), one_ply["move"]

# %% [markdown]
# Every entry of the record's columns is a node: its parent, and the move that leads there. Node 0 is the root. Down to the end
# of the game the tree looks like this, printed with one more indentation for each ply.

# %%
name = lambda cell: "abc"[cell % 3] + str(cell // 3 + 1)


def show(record, node=0, ply=0, lines=20):
    children = [n for n, parent in enumerate(record["parent"]) if parent == node]
    for child in children[: lines if ply == 0 else 2]:
        print("  " * ply + name(record["move"][child]), "value", record["value"][child])
        show(record, child, ply + 1)


whole = tengen.explain(position, "minimax", depth=9)
show(whole)

# %% [markdown]
# How quickly does it grow? The number of nodes, one ply after the other:

# %%
sizes = [len(tengen.explain(position, "minimax", depth=depth)["parent"]) - 1 for depth in range(1, 6)]
sizes

# %%
assert sizes[0] == 5 and sizes == sorted(sizes) and sizes[-1] > 100

# %% [markdown]
# Gomoku on its usual board has 225 first moves, and Hex 121. Those trees can never be written down.

# %%
gomoku, hex_ = tengen.Board("gomoku"), tengen.Board("hex")
print(len(gomoku.legal_moves), "first moves; three plies:", 225 * 224 * 223)
assert (len(gomoku.legal_moves), len(hex_.legal_moves)) == (225, 121)
hex_
