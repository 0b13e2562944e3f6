"""The lessons run from start to end as notebooks; their own assertions check what they say."""

import importlib.util
import pathlib

import nbclient
import pytest

FOLDER = pathlib.Path(__file__).parent.parent / "lessons"
spec = importlib.util.spec_from_file_location("build", FOLDER / "build.py")
build = importlib.util.module_from_spec(spec)
spec.loader.exec_module(build)


def test_there_are_eight():
    assert [lesson.stem[0] for lesson in build.LESSONS] == list("12345678")


@pytest.mark.parametrize("lesson", build.LESSONS, ids=lambda lesson: lesson.stem)
def test_a_lesson_runs(lesson):
    notebook = build.notebook(lesson.read_text(encoding="utf-8"))
    assert sum(cell.cell_type == "code" for cell in notebook.cells) >= 3
    # The environment's own interpreter, whatever kernels are installed elsewhere.
    done = nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    assert all(cell.get("execution_count") for cell in done.cells if cell.cell_type == "code")
