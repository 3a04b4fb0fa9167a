"""A notebook that is named alone brings the learner's own modules and data with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.notebook.own_files import saved_file
from tests.submitted import execute, write_notebook

IMPORT = "import torch\nfrom {} import half"
SOFTMAX = "def softmax(x, dim):\n    return half(x)"
HALF = "def half(x):\n    return x / 2\n"

BESIDE = [
    ({"own.py": HALF}, "own", {"own.py"}),
    ({"own.py": "from further import half\n", "further.py": HALF}, "own", {"own.py", "further.py"}),
    ({"lib/__init__.py": "", "lib/own.py": HALF}, "lib.own", {"lib/__init__.py", "lib/own.py"}),
    ({"own.py": HALF, "other.py": HALF, "05.ipynb": "{}"}, "own", {"own.py"}),
]


@pytest.mark.parametrize(("files", "module", "taken"), BESIDE)
def test_modules_that_it_imports_come_with_it(
    files: dict[str, str], module: str, taken: set[str], tmp_path: Path
) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    path = write_notebook(tmp_path / "04.ipynb", IMPORT.format(module), SOFTMAX)
    work = saved_file(path)
    assert {cell.notebook for cell in work.cells} == {"04.ipynb", *taken}
    assert execute(work.slice("softmax"))["softmax"](4.0, 0) == 2.0


def test_data_that_it_names_come_with_it(tmp_path: Path) -> None:
    for name in ("base.json", "other.json", "progress.toml"):
        (tmp_path / name).write_text("[2]", encoding="utf-8")
    path = write_notebook(tmp_path / "04.ipynb", "import json\nb = json.load(open('base.json'))")
    assert {cell.notebook for cell in saved_file(path).cells} == {"04.ipynb", "base.json"}
