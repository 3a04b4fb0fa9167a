"""Tells which exercise an object is, and what to say where it is none; checks nothing."""

import difflib
import functools
from collections.abc import Mapping
from typing import Any

from ..curriculum.syllabus import syllabus
from ..worker.values import type_name
from .cards import Notice
from .reading import is_a, is_module, own_name, text


def exercise_name(thing: Any, names: Mapping[str, Any]) -> str | None:
    """The exercise's name: the object's own, else the one that `names` knows this object by.

    So `name = partial(...)` and `name = my_name` are that exercise, as they are when handed in.
    """
    name = text(thing) if is_a(thing, str) else own_name(thing)
    if name in syllabus().names:
        return name
    if thing is None or is_a(thing, str):
        return None
    return next((each for each in syllabus().names if names.get(each) is thing), None)


def name_in_time(exercise: Any, names: Mapping[str, Any]) -> str | None:
    """The exercise's name; an object that takes for ever to tell it has none."""
    from .time_limit import TimeLimit

    with TimeLimit(2.0) as limit:
        return limit.run(lambda: exercise_name(exercise, names))


def nothing_to_check(
    given: tuple[Any, ...], name: str | None, call: str = "check"
) -> Notice | None:
    """Why what was given cannot be checked, or have a hint; None where it can."""
    thing, *others = given
    reason: tuple[str, ...] = ()
    if thing is ...:
        reason = (f"Say which exercise: {call}({syllabus().names[0]}), for instance.",)
    elif others:
        reason = (f"One exercise at a time: {call}({syllabus().names[0]}), for instance.",)
    elif name is None:
        reason = _unknown(thing, call)
    elif call == "hint":
        return None
    elif is_a(thing, str):
        reason = (f"Give the exercise itself: check({name})",)
    elif is_module(thing):
        reason = (f"{name} is a module here, not your exercise: check({name}.{name})",)
    elif not callable(thing):
        kind = type_name(thing)
        reason = (f"{name} is {kind} here, which cannot be called. Run its cell again.",)
    elif syllabus()[name].kind == "module" and _has_forward(thing):
        reason = (f"This is an object of your class. Give the class itself: check({name})",)
    title = "Nothing was checked" if call == "check" else "There is no hint"
    return Notice(title, reason) if reason else None


def _has_forward(thing: Any) -> bool:
    """Whether it is an object that was made from a layer's class."""
    return not is_a(thing, type) and any(
        "forward" in type.__dict__["__dict__"].__get__(kind)
        for kind in type.__dict__["__mro__"].__get__(type(thing))
    )


def _unknown(thing: Any, call: str) -> tuple[str, ...]:
    made = "None" if thing is None else type_name(thing)
    if made in syllabus().names:
        return (f"This is an object of your class. Give the class itself: {call}({made})",)
    if is_a(thing, functools.partial):
        inner = exercise_name(thing.func, {})
        if inner is not None:
            return (f"This is a partial of {inner}. Give the exercise itself: {call}({inner})",)
    name = text(thing) if is_a(thing, str) else own_name(thing)
    if name is None or (is_module(thing) and name not in syllabus().names):
        return (
            f"This is {made} and no function or class: give the exercise itself, "
            f"{call}({syllabus().names[0]}), without calling it first.",
        )
    near = difflib.get_close_matches(name, syllabus().names, n=3, cutoff=0.5)
    message = f"No exercise is called {name!r}; an exercise is known by its name."
    if near:
        return message, f"Did you mean {' or '.join(near)}?"
    return message, f"There are: {', '.join(syllabus().names)}."
