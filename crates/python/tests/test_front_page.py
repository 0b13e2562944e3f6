"""The example on the front page of the crate."""

import pathlib
import re

PAGE = pathlib.Path(__file__).parents[1] / "src" / "lib.rs"


def test_the_example_runs():
    (example,) = re.findall(r"//! ```python\n(.*?)//! ```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    exec(compile(re.sub(r"(?m)^//! ?", "", example), str(PAGE), "exec"), {})
