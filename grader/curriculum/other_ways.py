"""Shows an exercise's reference and other right ways; has them where all solutions are, only."""

import ast
from pathlib import Path

from ..submission import defined_at
from .course import course
from .references import reference_submission

_FILE = "other_ways.toml"
_CORPUS = Path(__file__).parents[2] / "tests" / "corpus"
_HEAD = "# right: "


def right_ways(exercise: str) -> tuple[tuple[str, str], ...]:
    """Titles and code: the reference, then what the corpus has under the names in the file.

    Nothing in a bundle, which lacks that file; the reference alone where there is no corpus.
    """
    ways = course().data(_FILE)
    if not ways:
        return ()
    named = ways.get(exercise, ())
    cut = reference_submission().slice(exercise)
    unit = None if cut is None else defined_at(cut)
    own = [] if unit is None else [("The reference", without_docstrings(unit.code))]
    paths = (_CORPUS / exercise / "right" / f"{name}.py" for name in named)
    return (*own, *(_read(path) for path in paths if path.is_file()))


def _read(path: Path) -> tuple[str, str]:
    """What a file of the corpus says that it does, and its code."""
    first, _, code = path.read_text(encoding="utf-8").partition("\n")
    title = first.removeprefix(_HEAD)
    return f"{title[:1].upper()}{title[1:]}", _without_imports(code)


def _without_imports(code: str) -> str:
    """The same without the imports at its top, which every chapter has made."""
    lines = code.splitlines()
    body = ast.parse(code).body
    kinds = (ast.Import, ast.ImportFrom)
    first = next((n for n in body if not isinstance(n, kinds)), None)
    if first is None:
        return code.strip()
    decorators = getattr(first, "decorator_list", [])
    start = min(node.lineno for node in (first, *decorators))
    kept = [line for line in lines[: start - 1] if "torch" not in line or "import" not in line]
    return "\n".join([*kept, *lines[start - 1 :]]).strip()


def without_docstrings(code: str) -> str:
    """The same code; who has just passed has read what it promises."""
    lines: list[str | None] = list(code.splitlines())
    kinds = (ast.FunctionDef, ast.ClassDef)
    for node in ast.walk(ast.parse(code)):
        text = node.body[0] if isinstance(node, kinds) else None
        is_text = isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant)
        if text is not None and is_text and isinstance(text.value.value, str) and node.body[1:]:  # type: ignore[attr-defined]
            lines[text.lineno - 1 : text.end_lineno] = [None] * (
                (text.end_lineno or text.lineno) - text.lineno + 1
            )
    return "\n".join(line for line in lines if line is not None).strip()
