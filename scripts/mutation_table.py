"""Writes what `make mutation` prints into the instructor's page.

make mutation | .venv/bin/python scripts/mutation_table.py
"""

import re
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent / "docs" / "instructors.md"
BEGIN, END = "<!-- mutation table: begin -->", "<!-- mutation table: end -->"
TOTAL = re.compile(r"\d+ mistakes: .*")


def with_table(page: str, printed: str) -> str:
    """The page with the printed table and its last line between the two comments."""
    lines = printed.splitlines()
    rows = [line for line in lines if line.startswith("|")]
    totals = [line for line in lines if TOTAL.fullmatch(line)]
    if not rows or not totals:
        raise SystemExit("This is not what `make mutation` prints; the page stays as it was.")
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return "\n".join([f"{before}{BEGIN}", *rows, "", *totals, f"{END}{after}"])


if __name__ == "__main__":
    told = with_table(PAGE.read_text(encoding="utf-8"), sys.stdin.read())
    PAGE.write_text(told, encoding="utf-8")
