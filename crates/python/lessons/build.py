"""Writes the lessons as notebooks: ``python build.py FOLDER``. Their source is the percent format that jupytext reads.

A cell starts at ``# %%``; the lines of a text cell (``# %% [markdown]``) are comments.
"""

import pathlib
import sys

import nbformat

LESSONS = sorted(pathlib.Path(__file__).parent.glob("[0-9]*.py"))


def notebook(source: str) -> nbformat.NotebookNode:
    """The notebook of a lesson's source."""
    cells = []
    for part in source.split("# %%")[1:]:
        head, _, body = part.partition("\n")
        if "[markdown]" in head:
            text = "\n".join(line.removeprefix("#").removeprefix(" ") for line in body.strip().splitlines())
            cells.append(nbformat.v4.new_markdown_cell(text, id=f"cell-{len(cells)}"))
        else:
            cells.append(nbformat.v4.new_code_cell(body.strip(), id=f"cell-{len(cells)}"))
    return nbformat.v4.new_notebook(cells=cells)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for lesson in LESSONS:
        nbformat.write(notebook(lesson.read_text(encoding="utf-8")), folder / f"{lesson.stem}.ipynb")
