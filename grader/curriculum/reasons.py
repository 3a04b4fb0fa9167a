"""Says why an exercise matters, from `reasons.toml`; knows no answer."""

from functools import cache

from .course import course


@cache
def _all() -> dict[str, str]:
    return {name: str(reason) for name, reason in course().data("reasons.toml").items()}


def reason(exercise: str) -> str:
    """One sentence; empty where an exercise has none."""
    return _all().get(exercise, "")
