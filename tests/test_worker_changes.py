"""Small changes to learner code are tried in the service, which then holds the code as it was."""

from __future__ import annotations

import gc
from typing import Any

import pytest

from grader.worker.answering import Service
from tests.services import loaded, value

_CHANGES = {"skip": [], "texts": [], "lines": None}


def _changed(service: Service, given: object, most: int = 32) -> list[dict[str, Any]]:
    """What the next changes to `f` answer to one call."""
    ask = {"op": "call", "payload": {"target": {"name": "f"}, "args": (given,), "kwargs": {}}}
    wanted = {"exercise": "f", "asks": [ask], "most": most, **_CHANGES}
    edits: list[dict[str, Any]] = service.handle("alter", wanted)["ok"]["edits"]
    return edits


def test_changes_are_asked_one_after_the_other_and_one_may_be_chosen() -> None:
    service = loaded("def f(x):\n    return x + 2")
    edits = _changed(service, 3)
    made = [each["answers"][0].get("ok", {}).get("value") for each in edits]
    assert service.handle("choose", {"index": made.index(6)}) == {"ok": {}}  # three, not two
    assert value(service, 5) == 8
    assert _changed(service, 3, most=0) == []
    assert value(service, 5) == 7


def test_a_change_gets_little_memory_and_the_code_as_it_is_has_its_own() -> None:
    gc.collect()  # what others have left would be given back while the room is in use
    service = loaded(
        """
        import torch
        def f(n):
            return torch.ones(n - 2**28 + 6).sum().item()
        """
    )
    errors = [row["answers"][0].get("error", {}) for row in _changed(service, 2**28)]
    assert any("memory" in str(each.get("message")) for each in errors)
    _changed(service, 0, most=0)
    assert value(service, 2**28 + 2**26) > 2**26 - 100  # 256 MB and a bit


ENDLESS = {
    "a loop": """
        def f(n):
            done = 0
            while done < n:
                done += 1
            return done
        """,
    "a helper's loop": """
        def counted(n):
            done = 0
            while done != n:
                done += 1
            return done
        def f(n):
            return counted(n)
        """,
    "a list's": """
        def f(n):
            return [one for one in range(n * 10**5)][-1] + 1 - n * 10**5 + n
        """,
    "calls": """
        def f(n):
            return n if n < 2 else f(n - 1) + f(n - 2)
        """,
}


@pytest.mark.parametrize("source", ENDLESS.values(), ids=ENDLESS)
def test_a_change_that_never_ends_is_stopped(source: str) -> None:
    service = loaded(source)
    before = value(service, 4)
    answers = [each["answers"][0] for each in _changed(service, 24, most=100)]
    stopped = [each for each in answers if each.get("error", {}).get("type") == "BaseException"]
    assert stopped
    assert len(stopped) < len(answers)
    _changed(service, 0, most=0)
    assert value(service, 4) == before


def test_objects_of_a_class_are_its_own_after_a_change() -> None:
    service = loaded(
        """
        class Counter:
            def each(self):
                return [one for one in range(2)]
        counter = Counter()
        def f(n):
            assert isinstance(counter, Counter)
            return len(counter.each()) + n + 1
        """
    )
    answers = [row["answers"][0].get("ok", {}).get("value") for row in _changed(service, 3)]
    assert 4 in answers  # with n - 1


def test_what_changes_work_with_stays_what_it_was() -> None:
    service = loaded(
        """
        made = []
        def each(n):
            "How many there are."
            made.append(n)
            return [one for one in range(n)]
        def f(n):
            return len(each(n)), each.__doc__, len(made)
        """
    )
    assert value(service, 2) == (2, "How many there are.", 1)
    changed = [row["answers"][0].get("ok", {}).get("value") for row in _changed(service, 3)]
    assert any(each and each[:2] == (4, "How many there are.") for each in changed)
    _changed(service, 0, most=0)
    assert value(service, 2)[:2] == (2, "How many there are.")
