"""What a teacher asks of a class: what separates, what took long, and three mistakes to project."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from grader.candidate.records import CheckOutcome, Difference, Verdict
from grader.curriculum.syllabus import syllabus
from grader.gradebook.store import Gradebook
from grader.gradebook.times import TimesError
from grader.gradebook.tries import read_tries
from grader.report.class_report import write_report
from grader.report.effort import efforts, span, weeks
from grader.report.render import folded, lead, prose, side_by_side
from grader.report.slide import anonymous
from grader.report.statistics import LEAST, ExerciseCount
from tests.marked import gradebook, mark, recorded


def test_separation_is_the_correlation_with_the_rest() -> None:
    counted = ExerciseCount("04_softmax", 1.0)
    counted.own.extend([0.0, 1.0] * (LEAST // 2 - 1))
    counted.rest.extend([0.5, 2.0] * (LEAST // 2 - 1))
    assert counted.separation is None, "of few learners nothing is said"
    counted.own.extend([0.0, 1.0])
    counted.rest.extend([2.0, 0.5])
    assert counted.separation == pytest.approx(np.corrcoef(counted.own, counted.rest)[0, 1])


def test_an_exercise_in_which_all_have_the_same_points_separates_nobody() -> None:
    counted = ExerciseCount("04_softmax", 1.0)
    counted.own.extend([1.0] * LEAST)
    counted.rest.extend(range(LEAST))
    assert counted.separation is None


TRIES = """learner,exercise,time,verdict
ada,softmax,2026-01-05T10:00:00Z,failed
ada,softmax,2026-01-05T10:30:00Z,not marked
ada,softmax,2026-01-06T10:00:00Z,passed
ada,softmax,2026-01-20T10:00:00Z,failed
bob,softmax,2026-01-19T10:00:00Z,passed
bob,gelu,2026-01-19T10:00:00Z,failed
eve,softmax,2026-01-19T10:00:00Z,passed
"""


def test_tries_and_time_until_it_passes(tmp_path: Path) -> None:
    path = tmp_path / "class_tries.csv"
    path.write_text(TRIES, encoding="utf-8")
    ways = read_tries(path)
    found = efforts(ways, {"ada", "bob"})
    softmax = found["softmax"]
    assert (softmax.learners, softmax.passed, softmax.tries, softmax.hours) == (2, 2, 1.5, 12.0)
    assert (found["gelu"].passed, found["gelu"].tries) == (0, None)
    assert [(str(w.monday), w.passed, w.learners) for w in weeks(ways, {"ada", "bob"})] == [
        ("2026-01-05", 1, 1),
        ("2026-01-12", 0, 0),
        ("2026-01-19", 1, 1),
    ]
    assert [span(each) for each in (0.2, 12, 100)] == ["12 min", "12 h", "4 days"]
    book = gradebook(
        tmp_path / "marks", recorded("ada", [mark(verdict=Verdict.PASSED, points=2.0)])
    )
    with Gradebook.create(book) as opened:
        opened.set_tries(ways)
        assert sorted(map(repr, opened.tries())) == sorted(map(repr, ways))
    write_report(book)
    index = (book / "report" / "index.html").read_text(encoding="utf-8")
    assert "Week by week" in index and '<td class="number">24 h</td>' in index
    path.write_text("learner,exercise,time,verdict\nada,softmax,2026-01-05,passed\n")
    with pytest.raises(TimesError, match=r"class_tries\.csv, ada: .* no zone"):
        read_tries(path)


CODE = '''def softmax(x, dim):
    """By ada@example.org."""
    # Ada's own
    "Ada was here"
    return x
'''


def test_a_slide_has_three_mistakes_and_names_nobody(tmp_path: Path) -> None:
    names = ("ada", "<b>bob</b>")
    rows = []
    again = replace(mark("gelu").diagnosis[0], id="again", explanation="The same answer.")
    for name in names:
        row = recorded(name, [mark(each) for each in ("softmax", "gelu", "encode", "pad_batch")])
        entries = tuple(
            replace(
                each,
                source=((f"{name}.py", 1, CODE),) if each.mark.checks else (),
                mark=replace(
                    each.mark,
                    diagnosis=tuple(
                        replace(found, explanation=f"{each.mark.name} is odd.")
                        for found in each.mark.diagnosis
                    )
                    + (again,) * (each.mark.name == "gelu"),
                ),
            )
            for each in row.entries
        )
        rows.append(replace(row, entries=entries))
    write_report(gradebook(tmp_path, *rows))
    slide = (tmp_path / "report" / "slide.html").read_text(encoding="utf-8")
    assert slide.count("<section>") == 3
    body = slide.partition("<body>")[2].lower()
    assert "ada" not in body and "bob" not in body
    code = body.replace('<span class="row">', "").replace("</span>", "")
    assert code.count("def softmax(x, dim):\n    return x") == 3
    assert "<script" not in slide and 'href="slide.html"' in (
        tmp_path / "report" / "index.html"
    ).read_text(encoding="utf-8")


def test_of_mistakes_that_cost_the_same_the_slide_begins_with_the_one_the_list_begins_with(
    tmp_path: Path,
) -> None:
    """That of more learners; of as many, that of the first words."""
    costs = {"softmax": ("ada", "bob"), "gelu": ("cem",), "encode": ("dan",)}
    words = {"softmax": "Many.", "gelu": "One.", "encode": "Only one."}
    rows = []
    for name, learners in costs.items():
        for learner in learners:
            its = mark(name, points=syllabus()[name].points - 2 / len(learners))
            its = replace(its, diagnosis=(replace(its.diagnosis[0], explanation=words[name]),))
            rows.append(recorded(learner, [its]))
    write_report(gradebook(tmp_path, *rows))
    for page in ("index.html", "slide.html"):
        text = (tmp_path / "report" / page).read_text(encoding="utf-8")
        places = [text.index(each) for each in words.values()]
        assert places == sorted(places), page


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ('if x:\n    """Ada"""\n    y = 1', "if x:\n    y = 1"),
        ('if "Ada":\n    y = 1', "if True:\n    y = 1"),
        ('async def f():\n    """Ada"""\n    return 1', "async def f():\n    return 1"),
        ("def f():\n    b'Ada'\n    f'Ada'\n    return 1", "def f():\n    return 1"),
        (
            'def f(x: "Ada") -> "Ada":\n    y: "Ada" = x\n    z: "Ada"',
            "def f(x):\n    y = x\n    pass",
        ),
        (
            'try:\n    f()\nexcept E:\n    "Ada"\nelse:\n    ("Ada", 1)',
            "try:\n    f()\nexcept E:\n    pass",
        ),
        ('assert x, "Ada"', "assert x"),
        ('for x in y:\n    "Ada"\n    f("bqd->bq", x)', "for x in y:\n    f('bqd->bq', x)"),
        ('a = {"Ada": 1, "dim": "ada lee"}', "a = {'…': 1, 'dim': '…'}"),
        ("a = f'{b} by Ada', b'Ada', '[]'", "a = (f'{b}…', '…', '[]')"),
        ("f('Ada Lovelace -> x', 'by Li', '李明', '1815-12-10')", "f('…', '…', '…', '…')"),
        (
            "f('b s (h d) -> b h s d', 'bqd, bkd -> bqk')",
            "f('b s (h d) -> b h s d', 'bqd, bkd -> bqk')",
        ),
        ("f('-inf', 'a', '##', f'{x:.2f}')", "f('-inf', 'a', '##', f'{x:.2f}')"),
        ("f(20260417, 471123.5, -4915112345679)", "f('…', '…', -'…')"),
        ("f(30522, 1e-12, 0.044715, 1000000, -3.4e+38)",) * 2,
    ],
)
def test_nothing_that_is_only_said_is_projected(written: str, shown: str) -> None:
    assert anonymous([("a", 1, written)], lambda: "dim = -1") == shown


def test_what_cannot_be_made_anonymous_or_read_from_far_is_not_shown() -> None:
    assert anonymous([("a", 1, "def f(:")]) == ""
    assert anonymous([("a", 1, "\n".join(f"x{n} = {n}" for n in range(40)))]) == ""
    assert anonymous([("a", 1, '"""Ada"""')]) == ""
    assert anonymous([("a", 1, 'def f():\n    """Ada"""')]) == "def f():\n    pass"


LONG = ", ".join(f"layer.{n}.weight" for n in range(42))


def test_a_long_list_is_folded() -> None:
    for shown in (
        folded(f"It lacks {LONG}."),
        prose(f"It lacks {LONG}."),
        lead(f"It lacks {LONG}."),
    ):
        assert "layer.4.weight <details" in shown and "and 37 more</summary>layer.5" in shown
    assert "<details" not in folded("It lacks a, b, c, d, e, f, g, h and i.")
    assert "&lt;b&gt;, " in folded("<b>, " * 20) and "<b>" not in folded("<b>, " * 20)


DIFFERENCES = [
    ("['time', '##ies']", "['time', 'ies']", ("['time', '<mark>#</mark>#ies']", "<mark>i</mark>")),
    ("ab", "abc", ("ab<mark>␄</mark>", "ab<mark>c</mark>")),
    ("<b>", "<i>", ("&lt;<mark>b</mark>&gt;", "&lt;<mark>i</mark>&gt;")),
    ("1.25", "1.5", ("1.25", "1.5")),
    ("same", "same", ("same", "same")),
]


@pytest.mark.parametrize(("expected", "got", "shown"), DIFFERENCES)
def test_the_first_difference_of_two_texts_is_marked(
    expected: str, got: str, shown: tuple[str, str]
) -> None:
    one, other = side_by_side(expected, got)
    assert shown[0] in str(one).replace("&#39;", "'") and shown[1] in str(other)


def test_a_page_shows_both(tmp_path: Path) -> None:
    wrong = mark()
    texts = (Difference("", "'abc'", "'abd'"),)
    checks = tuple(
        replace(each, differences=texts) if each.outcome is CheckOutcome.FAILED else each
        for each in wrong.checks
    )
    write_report(
        gradebook(tmp_path, recorded("ann", [replace(wrong, checks=checks, message=LONG)]))
    )
    (page,) = (tmp_path / "report" / "learners").glob("*.html")
    text = page.read_text(encoding="utf-8")
    assert "ab<mark>c</mark>" in text and "ab<mark>d</mark>" in text and "and 37 more" in text
