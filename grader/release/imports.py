"""Reads which names notebooks and modules import; imports nothing itself."""

import ast
import json
from collections.abc import Iterable, Iterator
from pathlib import Path


def imported(files: Iterable[Path]) -> set[tuple[str, str]]:
    """Module and name of each `from module import name` of these files; of a bare import, ""."""
    found: set[tuple[str, str]] = set()
    for path in files:
        for source in _sources(path):
            found.update(_imports(source))
    return found


def _sources(path: Path) -> Iterator[str]:
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".ipynb":
        yield text
        return
    for cell in json.loads(text)["cells"]:
        if cell["cell_type"] == "code":
            yield "".join(cell["source"])


def _imports(source: str) -> Iterator[tuple[str, str]]:
    try:
        tree = ast.parse(source)
    except SyntaxError:  # a cell of magics
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
