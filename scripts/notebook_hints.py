"""Writes grader/course/hints.toml, which `hint(...)` reads, from the hints in the notebooks.

.venv/bin/python scripts/notebook_hints.py
"""

import ast
import json
import re
from pathlib import Path

import nbformat

from grader.curriculum.course import course as chosen_course
from grader.curriculum.syllabus import syllabus

NOTEBOOKS = chosen_course().notebooks

TARGET = Path(__file__).resolve().parent.parent / "grader" / "course" / "hints.toml"
HEAD = """\
# Hints for `hint(...)`: a question, a pointer, a sketch of shapes; never the answer.
# Written by scripts/notebook_hints.py from the notebooks; edit them there.
"""
HINT = re.compile(
    r"<details><summary>Hint (\d) of 3: .*?</summary>\n\n(.*?)\n\n</details>", re.DOTALL
)


def hints_of(path: Path) -> dict[str, list[str]]:
    """Exercise → its hints: those folded into the text after its stub."""
    found: dict[str, list[str]] = {}
    exercise = ""
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "code":
            names = [getattr(node, "name", "") for node in ast.parse(cell.source).body]
            exercise = next((name for name in names if name in syllabus().names), exercise)
        elif exercise:
            for _, step in HINT.findall(cell.source):
                found.setdefault(exercise, []).append(step)
    return found


def as_toml(hints: dict[str, list[str]]) -> str:
    """One table for each exercise, one line for each step."""
    tables = [HEAD]
    for exercise, steps in hints.items():
        written = "".join(f"    {json.dumps(step, ensure_ascii=False)},\n" for step in steps)
        tables.append(f"[{exercise}]\nsteps = [\n{written}]\n")
    return "\n".join(tables)


if __name__ == "__main__":
    hints: dict[str, list[str]] = {}
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        hints |= hints_of(path)
    TARGET.write_text(as_toml(hints), encoding="utf-8")
    print(f"{TARGET.name}: hints for {len(hints)} exercises")
