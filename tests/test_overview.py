"""The map shows every chapter and where one is; what comes next follows the chapter one is in."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from grader.candidate.records import Verdict
from grader.curriculum.syllabus import syllabus
from grader.notebook.guesses import Guess, tally
from grader.notebook.overview import Overview
from grader.notebook.progress_file import Remembered, standings

COURSE = syllabus()
FIRST = {each.chapter: each.name for each in reversed(COURSE.exercises)}
PASSED = Remembered(Verdict.PASSED, 1.0, "2026-01-02")
SECOND, THIRD = COURSE.chapters[1:3]


def shown(
    folder: Path, known: Mapping[str, Remembered] | None = None, here: str = "", *guesses: Guess
) -> Overview:
    return Overview(standings(folder, known or {}, {}), here, guesses)


def all_of(*chapters: str) -> dict[str, Remembered]:
    return {each.name: PASSED for each in COURSE.exercises if each.chapter in chapters}


@pytest.mark.parametrize(
    ("known", "here", "expected"),
    [
        ({}, "", FIRST[COURSE.chapters[0]]),
        ({}, THIRD, FIRST[THIRD]),
        (all_of(SECOND), SECOND, FIRST[THIRD]),
        (all_of(*COURSE.chapters[1:]), THIRD, FIRST[COURSE.chapters[0]]),
        ({FIRST[THIRD]: Remembered(Verdict.FAILED, 0.0)}, "", FIRST[THIRD]),
        ({FIRST[THIRD]: Remembered(Verdict.FAILED, 0.0)}, SECOND, FIRST[SECOND]),
        (all_of(*COURSE.chapters), SECOND, None),
    ],
)
def test_next_follows_the_chapter_one_is_in(
    tmp_path: Path, known: dict[str, Remembered], here: str, expected: str | None
) -> None:
    found = shown(tmp_path, known, here).next
    assert (found.exercise.name if found else None) == expected


def test_the_map_links_every_chapter_and_says_in_words_how_it_stands(tmp_path: Path) -> None:
    known = all_of(SECOND) | {FIRST[THIRD]: PASSED}
    page = shown(tmp_path, known, THIRD)._repr_html_()
    tiles = re.findall(r"<li class=\"[^\"]*\">\s*<a .*?</li>", page, re.DOTALL)
    assert [re.findall(r'href="(.*?)\.ipynb"', tile) for tile in tiles] == [
        [name] for name in COURSE.chapters
    ]
    assert "✓ whole" in tiles[1] and "◐ 1 of" in tiles[2] and "○ not begun" in tiles[3]
    assert ["you are here" in tile for tile in tiles].index(True) == 2
    assert "next: " in tiles[2] and sum("you are here" in tile for tile in tiles) == 1
    assert "← you are here" in repr(shown(tmp_path, known, THIRD))


def test_a_chapter_names_those_it_builds_on(tmp_path: Path) -> None:
    for chapter in shown(tmp_path).chapters:
        calls = {name for row in chapter.rows for name in row.exercise.uses}
        wanted = {COURSE[name].chapter for name in calls} - {chapter.name}
        assert chapter.builds_on == ", ".join(sorted(name[:2] for name in wanted))


def test_what_is_not_begun_has_no_date(tmp_path: Path) -> None:
    idle = {name: Remembered(Verdict.NOT_STARTED, 0.0, "2026-01-02") for name in COURSE.names}
    assert "2026" not in shown(tmp_path, idle)._repr_html_()
    assert "2026-01-02" in shown(tmp_path, all_of(SECOND), SECOND)._repr_html_()


def test_guesses_are_counted_and_those_of_the_chapter_shown_again(tmp_path: Path) -> None:
    made = (
        Guess("One?", "28", "squares <add> up", "771", "768", "wrong", SECOND),
        Guess("Two?", "yes", "", "yes", "yes", "right", SECOND),
        Guess("Three?", "", "", "7", "", "", THIRD),
        Guess("Four?", "5", chapter=SECOND),
    )
    told = "3 guesses before measuring: 1 right, 1 not right, 1 not measured yet, "
    assert tally(made) == told + "1 more looked up without a guess."
    page = shown(tmp_path, {}, SECOND, *made)._repr_html_()
    assert told in page
    assert "You: 28 (squares &lt;add&gt; up) ✗. Measured: 771. Nearest: 768 ✓" in page
    assert "Three?" not in page and "Four?" not in page
    assert tally(()) == "" and "guess" not in shown(tmp_path)._repr_html_()
