"""A Gomoku bot for Botzone: the free point nearest to the centre. One process per move, one line of JSON."""
import json

SIZE = 15
game = json.loads(input())
taken = {(move["x"], move["y"]) for move in game["requests"] + game["responses"]}
free = [(x, y) for x in range(SIZE) for y in range(SIZE) if (x, y) not in taken]
x, y = min(free, key=lambda at: abs(at[0] - SIZE // 2) + abs(at[1] - SIZE // 2))
print(json.dumps({"response": {"x": x, "y": y}}))
