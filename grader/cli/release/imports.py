"""Reads which names notebooks and modules import; imports nothing itself."""

import ast
import json
from collections.abc import Iterable
from pathlib import Path

from ...submission.parsing import parsed


def imported(files: Iterable[Path]) -> set[tuple[str, str]]:
    """Module and name of each `from module import name` of these files; of a bare import, ""."""
    found: set[tuple[str, str]] = set()
    for path in files:
        text = path.read_text(encoding="utf-8")
        cells = json.loads(text)["cells"] if path.suffix == ".ipynb" else []
        code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        for source in code or [text]:
            tree = parsed(source)
            for node in ast.walk(tree) if tree else ():  # none of a cell of magics
                if isinstance(node, ast.ImportFrom):
                    found.update((node.module or "", alias.name) for alias in node.names)
                elif isinstance(node, ast.Import):
                    found.update((alias.name, "") for alias in node.names)
    return found
