"""The sealed machines answer as their rules do; a page tells what was found; a text is cut."""

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from solutions.sealed_machines import fewest_heads, sealed_a, sealed_b, sealed_c
from tests.kits import new_kit

MACHINES = [("A", sealed_a, [[1], [3], [0, 2]]), ("B", sealed_b, [[2]]), ("C", sealed_c, [[0, 3]])]


@pytest.fixture
def kit() -> Iterator[Any]:
    with new_kit():
        from kit import cut, findings, sealed

        yield SimpleNamespace(sealed=sealed, findings=findings, cut=cut)


@pytest.mark.parametrize(("name", "rule", "enough"), MACHINES)
def test_a_machine_follows_its_rule_and_needs_its_heads(
    kit: Any, name: str, rule: Any, enough: list[list[int]]
) -> None:
    rows = torch.randint(10, (2000, 6), generator=torch.Generator().manual_seed(0))
    machine = kit.sealed.sealed(name)
    for count in range(5):
        for heads in map(list, combinations(range(4), count)):
            right = (machine.answer(rows, heads) == rule(rows)).all(-1).float().mean()
            is_enough = any(set(some) <= set(heads) for some in enough)
            assert right > 0.99 if is_enough else right < 0.6, heads


def test_a_page_says_what_was_measured_and_no_more(kit: Any, tmp_path: Path) -> None:
    rules = [sealed_a, torch.zeros_like, sealed_c]
    found = [
        kit.findings.find(name, rule, fewest_heads, words, seed=1)
        for name, rule, words in zip("ABC", rules, ("turns <it> round", "", "sorts"), strict=True)
    ]
    assert [each.needed for each in found] == [(1,), (2,), (0, 3)]
    assert found[0].predicted == found[2].predicted == 1.0 and found[1].predicted < 0.5
    text = kit.findings.page(found, tmp_path / "page.html").read_text(encoding="utf-8")
    assert "turns &lt;it&gt; round" in text and "(not yet said)" in text
    assert "http" not in text.replace("http-equiv", "") and "<script" not in text


def test_looks_that_are_given_stand_in_for_its_own(kit: Any) -> None:
    rows, all_speak = kit.sealed.row("abcabc"), torch.ones(4)
    for name in "ABC":
        machine = kit.sealed.sealed(name)
        scores, own = machine(rows, all_speak)
        again, told = machine(rows, all_speak, dict(enumerate(own)))
        assert torch.equal(scores, again) and all(map(torch.equal, own, told))
    alone = torch.eye(6).expand(1, 4, 6, 6)
    scores, told = kit.sealed.sealed("B")(rows, all_speak, {0: alone})
    assert kit.sealed.sealed("B").answer(rows).any() and not scores.argmax(-1).any()
    assert torch.equal(told[0], alone)


def test_odd_rows_and_heads_are_refused(kit: Any) -> None:
    for letters in ("abc", "abcdefg", "abcdez", ""):
        with pytest.raises(ValueError, match="6 letters"):
            kit.sealed.row(letters)
    with pytest.raises(ValueError, match="no head 4"):
        kit.sealed.sealed("A").answer(kit.sealed.row("abcdef"), [4])


def test_what_is_typed_is_cut_and_said(kit: Any) -> None:
    cut = kit.cut.Cut(str.split, {"time": 5}, "time <b>")
    assert cut.told() == (["time", "<b>"], "8 characters, 2 pieces, 0 of them unknown: time <b>")
    assert "&lt;b&gt;" in cut.shown() and "<b>" not in cut.shown()
    assert "<small>5</small>" in cut.shown() and "not in the list" in cut.shown()
    broken = kit.cut.Cut(lambda text: [][1], {}, "time")
    assert "IndexError" in broken.shown()
    cut._repr_mimebundle_()
    cut._box.children[0].value = "time time time"
    assert "3 pieces" in cut._box.children[1].value
