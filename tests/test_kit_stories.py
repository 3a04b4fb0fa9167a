"""The judge of stories calls all told ones true, and names what a changed one breaks."""

from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

NOTEBOOKS = str(Path(__file__).parents[1] / "notebooks")
SAME_KIT = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)


@pytest.fixture
def kit(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(NOTEBOOKS)
    from kit import stories

    return stories


@SAME_KIT
@given(seed=st.integers(0, 10_000))
def test_every_told_story_is_true(kit: ModuleType, seed: int) -> None:
    (story,) = kit.stories(1, seed)
    assert all(kit.judge(story).values()), story
    assert kit.stories(1, seed) == [story]


@SAME_KIT
@given(seed=st.integers(0, 10_000), data=st.data())
def test_another_hero_thing_or_helper_is_noticed(
    kit: ModuleType, seed: int, data: st.DataObject
) -> None:
    kinds = {"its hero": kit.HEROES, "its thing": kit.THINGS, "its helper": tuple(kit.HELPERS)}
    what = data.draw(st.sampled_from(sorted(kinds)))
    words = kit.stories(1, seed)[0].split()
    (*places, _) = [place for place, word in enumerate(words) if word in kinds[what]]
    place = data.draw(st.sampled_from(places))
    words[place] = data.draw(
        st.sampled_from([each for each in kinds[what] if each != words[place]])
    )
    found = kit.judge(" ".join(words))
    assert not found[what] and found["grammar"]


@pytest.mark.parametrize(
    ("right", "wrong", "broken"),
    [
        ("so she was", "so he was", {"she and he"}),
        ("tried to swim", "tried to climb", {"the end follows"}),
        ("a frog", "a frog frog", {"grammar", "the end follows"}),
        ("a village", "the village", {"grammar", "the end follows"}),
    ],
)
def test_what_is_wrong_is_named(kit: ModuleType, right: str, wrong: str, broken: set[str]) -> None:
    story = (
        "Mia lived in a village . she wanted a new hat . but the hat was across the river . "
        "Mia tried to swim and could not . so she was sad and tired . a frog saw her . "
        '" I want the hat , " Mia told the frog . soon the frog had the hat , and Mia was happy .'
    )
    assert all(kit.judge(story).values())
    found = kit.judge(story.replace(right, wrong))
    assert {what for what, is_right in found.items() if not is_right} == broken


def test_an_end_must_follow(kit: ModuleType) -> None:
    facts = [kit.Facts("Tom", "hat", "across the river", helper) for helper in ("frog", "hawk")]
    assert [each.is_happy for each in facts] == [True, False]
    for said in ("", "Mia", "she he", "one morning"):
        assert not kit.judge(said)["grammar"] and kit.judge(said)["the end follows"] is None


@pytest.mark.parametrize(
    ("said", "kept"),
    [("", None), ("Mia lived", None), ("Mia met Mia", True), ("Mia met Tom", False)],
)
def test_what_is_not_named_again_is_neither_kept_nor_lost(
    kit: ModuleType, said: str, kept: bool | None
) -> None:
    assert kit.judge(said)["its hero"] is kept
    assert kit.judge(said.replace("Mia", "hat").replace("Tom", "cup"))["its thing"] is kept


def test_of_what_could_be_right_it_counts_what_is(kit: ModuleType) -> None:
    written = ["Mia lived", "Mia met Mia", "Mia met Tom", "she saw Mia", "Tom saw her"]
    assert kit.tally(written, "its hero") == (1, 2)
    assert kit.tally(written, "she and he") == (1, 2)
    assert kit.tally(written, "grammar") == (0, 5)
    assert kit.tally([], "grammar") == (0, 0)


@SAME_KIT
@given(seed=st.integers(0, 10_000))
def test_sad_ends_follow_where_told_ones_are_sad(kit: ModuleType, seed: int) -> None:
    told = kit.stories(5, seed)
    assert kit.always_sad([*told, "Mia met Mia"]) == sum("went home" in story for story in told)


def test_a_story_is_printed_as_one_reads(kit: ModuleType) -> None:
    said = '" help me , frog ! I need my hat , " Mia said . soon she laughed .'
    assert kit.readable(said) == '"Help me, frog! I need my hat," Mia said. Soon she laughed.'
