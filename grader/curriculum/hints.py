"""Says an exercise's hints, and why it matters, as the course's data has them; knows no answer."""

from functools import cache

from .course import course


@cache
def steps(exercise: str) -> tuple[str, ...]:
    """A question, a pointer, a shape sketch; empty where an exercise has no hints."""
    return tuple(course().data("hints.toml").get(exercise, {}).get("steps", ()))


@cache
def reason(exercise: str) -> str:
    """Why it matters, in one sentence; empty where an exercise has none."""
    return str(course().data("reasons.toml").get(exercise, ""))
