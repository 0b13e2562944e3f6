"""A program that answers: value, move, node count and the nodes in the order they were entered."""
import json
import sys

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def value(board):
    for a, b, c in LINES:
        if board[a] != "." and board[a] == board[b] == board[c]:
            return 1 if board[a] == "X" else -1
    return 0


def search(board, depth, alpha, beta, path, visited):
    """The value of a position and its best move. The root is not visited."""
    free = [cell for cell in range(9) if board[cell] == "."]
    if depth == 0 or not free or value(board) != 0:
        return value(board), None
    side = "X" if board.count("X") == board.count("O") else "O"
    best, best_move = None, None
    for move in free:
        node = [path + [move], None]
        visited.append(node)
        child = board[:move] + side + board[move + 1 :]
        found, _ = search(child, depth - 1, alpha, beta, path + [move], visited)
        node[1] = found
        if best is None or (found > best if side == "X" else found < best):
            best, best_move = found, move
        if side == "X":
            alpha = max(alpha, best)
        else:
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best, best_move


for line in sys.stdin:
    question = json.loads(line)
    visited = []
    best, move = search(question["board"], question["depth"], -2, 2, [], visited)
    print(json.dumps({"value": best, "move": move, "nodes": len(visited), "visited": visited}), flush=True)
