# %% [markdown]
# # 4. Move ordering
#
# A cut happens when a good move has been seen, so the order of moves decides how much can be cut.

# %%
import tengen

rows = {}
for ordering in (False, True):
    for algorithm in ("alphabeta", "alphabeta-tt"):
        result = tengen.explain(".........", algorithm, depth=9, ordering=ordering, keep=0)["result"]
        rows[algorithm, ordering] = result["nodes"]
        print(f"{algorithm:13} {'centre first' if ordering else 'board order':13} {result['nodes']:7,} nodes")
assert rows["alphabeta", True] < rows["alphabeta", False]
assert rows["alphabeta-tt", True] < rows["alphabeta", True]

# %% [markdown]
# Strong programs guess which move is best before they search: by an evaluation, by what cut off elsewhere, by a shallower search.
# On a small Hex board, sorted by what the evaluation thinks:

# %%
board = tengen.Board("hex", 5, moves=["c3", "b4"])
for ordering in (False, True):
    result = tengen.explain(board, "alphabeta", depth=3, ordering=ordering, keep=0)["result"]
    print("sorted" if ordering else "board order", result["nodes"], "nodes, value", round(result["value"], 3))
board

# %% [markdown]
# How often is the first move of a node the one that cuts?

# %%
record = tengen.explain(board, "alphabeta", depth=3, ordering=True)
first_child = {}
for node, parent in enumerate(record["parent"]):
    first_child.setdefault(parent, node)
cuts = [cut for cut in record["cuts"] if cut[1] >= 0]
share = sum(first_child[cut[0]] == cut[1] for cut in cuts) / len(cuts)
print(f"{share:.0%} of {len(cuts)} cuts come from the first move")
assert share > 0.5
