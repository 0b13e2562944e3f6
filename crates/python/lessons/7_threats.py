# %% [markdown]
# # 7. Threats and connections
#
# A four must be answered at once, an open three in one of a few ways. A chain of threats may end in two at once, which nobody can
# stop. `tengen.solve` proves such wins: `vcf` by fours alone, `vct` with threes as well.

# %%
import tengen

puzzle = next(puzzle for puzzle in tengen.puzzles("gomoku") if puzzle.goal == "vcf")
board = puzzle.board
print(puzzle)
board

# %%
proof = tengen.solve(board, "vcf")
print(proof["result"], proof["line"], proof["nodes"], "nodes")
assert proof["result"] == "win"
for move in proof["line"]:
    board.push(move)
board

# %% [markdown]
# `none` is a proof too: there is no win of this kind. `unknown` only says that the budget ended.

# %%
quiet = tengen.Board("gomoku", moves=["h8", "i9"])
assert tengen.solve(quiet, "vcf")["result"] == "none"

# %% [markdown]
# Two Hex stones with two empty cells between them are as good as joined: a bridge. Chains of bridges cross a board before the
# stones touch, and the solver knows it: it names the winner although most cells are empty.

# %%
hex_board = tengen.Board("hex", 5, moves=["c3", "a1"])
answer = tengen.solve(hex_board, "winner")
print(hex_board.turn, "to move:", answer["result"], "with", answer["nodes"], "nodes")
assert answer["result"] == "win"
hex_board
