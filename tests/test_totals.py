"""Totals on a platform's scale: chapters, maximum, rounding, and what lateness costs."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from grader.candidate.records import Mark, SubmissionMarks, Verdict
from grader.cli import app
from grader.report.exports.totals import Scale
from tests.marked import gradebook, mark, recorded


def export(form: str, book: Path, *options: str) -> list[list[str]]:
    done = CliRunner().invoke(app, ["export", form, str(book), *options])
    assert done.exit_code == 0, done.output
    return list(csv.reader(io.StringIO(done.stdout)))


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """2 of 2 points in chapter 04, 1 of 2 in chapter 03."""
    marks = [mark("softmax", Verdict.PASSED, 2.0), mark("attention_scores", points=1.0)]
    return gradebook(tmp_path / "marks", recorded("ann", marks))


def test_chapters_count_alone(book: Path) -> None:
    rows = export("csv", book, "--chapters", "04")
    table = dict(zip(*rows, strict=True))
    assert (table["points"], table["max_points"]) == ("2.0", "9.0")
    assert "softmax" in table and not {"attention_scores", "total", "late %"} & {*table}
    rows = export("canvas", book, "--chapters", "03-04")
    assert [row[-1] for row in rows[1:]] == ["18.0", "3.0"]


def test_a_platforms_maximum_and_rounding(book: Path) -> None:
    rows = export("canvas", book, "--chapters", "03-04", "--out-of", "10", "--decimals", "1")
    assert [row[-1] for row in rows[1:]] == ["10.0", "1.7"]
    rows = export("moodle", book, "--chapters", "04", "--out-of", "100")
    assert rows[1][1] == "22.22"


LATE = [
    ("2026-01-31T12:00:00Z", "2.0", "0.0"),
    ("2026-01-31T12:00:01Z", "1.8", "10.0"),
    ("2026-02-01T12:00:00Z", "1.8", "10.0"),
    ("2026-02-01T13:00:01+01:00", "1.6", "20.0"),
    ("2026-03-01T00:00:00-05:00", "1.0", "50.0"),
]


@pytest.mark.parametrize(("time", "total", "off"), LATE)
def test_lateness_costs_by_the_day_and_the_table_says_how_much(
    time: str, total: str, off: str, book: Path, tmp_path: Path
) -> None:
    times = tmp_path / "times.csv"
    times.write_text(f"learner,time\nann,{time}\n", encoding="utf-8")
    due = ["--deadline", "2026-01-31T12:00:00Z", "--late", "10% a day, at most 50%"]
    assert CliRunner().invoke(app, ["due", str(book), *due, "--times", str(times)]).exit_code == 0
    rows = export("csv", book, "--chapters", "04")
    table = dict(zip(*rows, strict=True))
    assert (table["points"], table["total"], table["late %"]) == ("2.0", total, off)


REFUSED = [
    ["export csv", "--chapters", "99"],
    ["export json", "--out-of", "10"],
    ["due", "--deadline", "2026-01-31"],
    ["due", "--remove", "--times", "{times}"],
    ["due", "--deadline", "2026-01-31T12:00:00", "--late", "10% a day", "--times", "{times}"],
    ["due", "--deadline", "soon", "--late", "10% a day", "--times", "{times}"],
    ["due", "--deadline", "2026-01-31T12:00Z", "--late", "much", "--times", "{times}"],
    ["due", "--deadline", "2026-01-31T12:00Z", "--late", "10% a day", "--times", "none.csv"],
]


@pytest.mark.parametrize("options", REFUSED, ids=" ".join)
def test_what_makes_no_sense_is_refused(options: list[str], book: Path, tmp_path: Path) -> None:
    times = tmp_path / "times.csv"
    times.write_text("learner,time\n", encoding="utf-8")
    what, *rest = (each.format(times=times) for each in options)
    done = CliRunner().invoke(app, [*what.split(), str(book), *rest])
    assert done.exit_code == 2 and done.stdout == ""


POINTS = st.integers(0, 10_000).map(lambda hundredths: hundredths / 100)


@given(POINTS, POINTS, st.floats(0.5, 1000), st.integers(0, 4))
def test_totals_stay_within_the_scale(
    won: float, more: float, out_of: float, decimals: int
) -> None:
    marks = (Mark("softmax", "04_softmax", Verdict.PARTIAL, won, won + more),)
    total = Scale(out_of, decimals).total(SubmissionMarks("ann", marks))
    step = 10.0**-decimals
    assert 0 <= total <= out_of + step
    if won + more:
        assert abs(total - won / (won + more) * out_of) <= step / 2 + 1e-9
