# %% [markdown]
# # 5. Evaluation
#
# A tree that cannot be searched to the end is searched to some depth, and the positions there are valued by a guess. The engine
# `classic-ac` gives points for rows of stones: the more stones and the more open ends, the more points.

# %%
import tengen

board = tengen.Board("gomoku", moves=["h8", "i9", "h9", "h10", "g8"])
seen = tengen.xray(board, "classic-ac")
for line in seen["lines"]:
    for pattern in line["patterns"]:
        print(line["direction"], pattern["side"], pattern["pattern"], pattern["value"])
print("score for", seen["side"], seen["score"])
total = sum(line["score"] for line in seen["lines"]) + sum(term["value"] for term in seen["terms"])
assert abs(total - seen["score"]) < 1e-6

# %%
board

# %% [markdown]
# Write one: this evaluation counts, for each free point, the longest row that a stone there would extend. A player that looks one
# move ahead with it already makes fives and stops fours.

# %%
STEPS = [(0, 1), (1, 0), (1, 1), (1, -1)]


def row_length(board, row, col, colour):
    longest = 1
    for down, right in STEPS:
        length = 1
        for sign in (1, -1):
            r, c = row + sign * down, col + sign * right
            while 0 <= r < board.rows and 0 <= c < board.cols and board.at((r, c)) == colour:
                length, r, c = length + 1, r + sign * down, c + sign * right
        longest = max(longest, length)
    return longest


def greedy(board):
    other = "white" if board.turn == "black" else "black"
    middle = board.rows // 2

    def worth(move):
        row, col = board.cell(move)
        attack, defence = row_length(board, row, col, board.turn), row_length(board, row, col, other)
        return max(2 * attack + 1, 2 * defence), -abs(row - middle) - abs(col - middle)

    return max(board.legal_moves, key=worth)


# %%
against_first_legal = tengen.match(greedy, lambda board: board.legal_moves[0], games=2)
print(against_first_legal)
assert against_first_legal.wins == 2

# %% [markdown]
# Against a level it does not know about open threes yet. Watch a game that it loses, and ask what it did not see.

# %%
result = tengen.match(greedy, "medium", games=2, limit=tengen.Limit(nodes=2000))
print(result)
result.games[0]
