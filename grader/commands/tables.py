"""Writes tables that commands leave beside their results; knows no table."""

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path


def write_rows(path: Path, head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A CSV file of a head and rows."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(head)
        writer.writerows(rows)
