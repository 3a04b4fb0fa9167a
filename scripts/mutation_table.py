"""Writes what `make mutation` or `make mutants` prints into the instructor's page.

make mutation | .venv/bin/python scripts/mutation_table.py
"""

import re
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent / "docs" / "instructors.md"
BEGIN, END = "<!-- mutation table: begin -->", "<!-- mutation table: end -->"
TOTAL = re.compile(r"\d+ mistakes: .*")


def with_table(page: str, printed: str) -> str:
    """The page with the printed table, and its last line where it has one, in the table's place."""
    lines = printed.splitlines()
    rows = [line for line in lines if line.startswith("|")]
    totals = [line for line in lines if TOTAL.fullmatch(line)]
    mutants = bool(rows) and rows[0].startswith("| exercise | mutants |")
    if not rows or not (totals or (mutants and rows[-1].startswith("| all |"))):
        raise SystemExit("This is no whole table of these commands; the page stays as it was.")
    begin, end = BEGIN, END
    if mutants:
        begin, end = (mark.replace("mutation", "mutants") for mark in (BEGIN, END))
    before, _, rest = page.partition(begin)
    _, _, after = rest.partition(end)
    summed = ["", *totals] if totals else []
    return "\n".join([f"{before}{begin}", *rows, *summed, f"{end}{after}"])


if __name__ == "__main__":
    page = with_table(PAGE.read_text(encoding="utf-8"), sys.stdin.read())
    PAGE.write_text(page, encoding="utf-8")
