"""A pytest plugin for nbval: in a solved notebook every `check(…)` cell must say passed."""

import re
from collections.abc import Iterator

import pytest

_CHECK = re.compile(r"check\((?!hand\))(\w+)\)$")  # puzzles are solved by hand


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    yield
    cell = getattr(item, "cell", None)
    found = _CHECK.match(cell.source.strip()) if cell is not None else None
    if found:
        outputs = item.test_outputs or []  # type: ignore[attr-defined]
        said = "\n".join(str(each.get("data", {}).get("text/plain", "")) for each in outputs)
        assert f"{found[1]}: passed" in said, said or "the card is missing"
