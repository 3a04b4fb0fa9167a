"""Says why an exercise matters, from `reasons.toml`; knows no answer."""

import tomllib
from functools import cache
from importlib import resources


@cache
def _all() -> dict[str, str]:
    text = resources.files("grader.course").joinpath("reasons.toml").read_text(encoding="utf-8")
    return {name: str(reason) for name, reason in tomllib.loads(text).items()}


def reason(exercise: str) -> str:
    """One sentence; empty where an exercise has none."""
    return _all().get(exercise, "")
