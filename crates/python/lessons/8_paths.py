# %% [markdown]
# # 8. A* and IDA*
#
# A path search keeps a list of places it could go on from. Dijkstra takes the one with the smallest cost so far, g. A* adds an
# estimate of the way still to go, h, and takes the smallest sum.

# %%
import heapq

import tengen

maze = tengen.Maze.generate("prim", 15, 31, seed=3, braid=0.5)


def astar(maze, h):
    """The path, and the cells in the order they were expanded."""
    start, goal = maze.start, maze.goal
    open_list = [(h(start), 0, start)]
    best, parent, closed = {start: 0}, {}, []
    while open_list:
        _, g, cell = heapq.heappop(open_list)
        if g > best[cell]:
            continue
        closed.append(cell)
        if cell == goal:
            path = [cell]
            while path[-1] in parent:
                path.append(parent[path[-1]])
            return path[::-1], closed
        row, col = cell
        for step in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)):
            if maze.is_free(*step) and g + 1 < best.get(step, 1e9):
                best[step], parent[step] = g + 1, cell
                heapq.heappush(open_list, (g + 1 + h(step), g + 1, step))
    return [], closed


manhattan = lambda cell: abs(cell[0] - maze.goal[0]) + abs(cell[1] - maze.goal[1])
path, closed = astar(maze, manhattan)
print(len(path) - 1, "steps,", len(closed), "cells expanded;", "Dijkstra:", len(astar(maze, lambda cell: 0)[1]))
assert len(path) - 1 == maze.solve("bfs").cost

# %%
from IPython.display import SVG

SVG(maze.svg(path, closed))

# %% [markdown]
# If h never exceeds the true cost, A* finds a shortest path. One that is too large misleads it: this one squares the distance.

# %%
open_map = tengen.Maze("S....9....G\n..9999999..\n...........\n")
for heuristic in ("manhattan", "squared"):
    result = open_map.trace("astar", heuristic=heuristic)["result"]
    print(f"{heuristic:10} cost {result['cost']}, the cheapest is {result['optimal']}; overestimates in {result['overestimates']} cells")

# %% [markdown]
# IDA* goes depth first and turns back wherever f exceeds a bound. If that fails, it starts again with a larger bound: it repeats
# work, and in return it remembers little.

# %%
small = tengen.Maze.generate("backtracker", 9, 9, seed=2)
record = small.trace("idastar")
print(record["result"]["rounds"], "rounds,", record["result"]["expanded"], "cells expanded, A*:", small.solve("astar").expanded)
assert record["result"]["cost"] == small.solve("astar").cost
