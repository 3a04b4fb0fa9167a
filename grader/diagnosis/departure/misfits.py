"""Which earlier line made what does not fit where a line raised; it compares shapes alone."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from ...candidate.message import Message, say
from ...course.references import reference
from ...course.syllabus import syllabus
from ...worker.trail import Trail
from ...worker.values import Opaque
from .exceptions import Raised
from .known import Known
from .recording import RecordedStatement, Recording, is_ours, watch
from .slips import parsed

_PRODUCT = re.compile(r"shapes cannot be multiplied \(\d+x(\d+) and (\d+)x(\d+)\)")
_BROADCAST = "must match the size of tensor"
_READY = re.compile(r"\b(Linear|Embedding)\(")  # their weights lie as those of right code do
_MOST_STEPS = 4  # from the line that raised back to the one that is told
Shapes = Mapping[str, Sequence[Mapping[str, Any]]]  # by exercise, what right code calls it with


@dataclass(frozen=True)
class Clue:
    """A line, why to look at it, and whether it is to blame for certain."""

    statement: RecordedStatement
    why: Message
    is_sure: bool = True


def misfit(
    one: Raised,
    made: Recording | None,
    parameters: Mapping[str, Sequence[int]],
    right_maps: Sequence[Sequence[int]],
    given: Callable[[], Shapes],
) -> Clue | None:
    """A layer of other sizes than what comes in, or an argument of another shape than right code's.

    `parameters` are the module's, by name; `right_maps` the shapes of those of right code; `given`
    says what right code calls earlier exercises with.
    """
    if (condition := _condition(one)) is not None:
        return condition
    held = _Held(one, made, parameters, right_maps)
    layer = _layer(held)
    if layer is not None and layer.is_sure:
        return layer
    return _argument(held, given) or layer


@dataclass(frozen=True)
class _Held:
    """What stood where it raised, and how the module was made."""

    one: Raised
    made: Recording | None
    parameters: Mapping[str, Sequence[int]]
    right_maps: Sequence[Sequence[int]]

    def maps(self, source: str) -> dict[str, tuple[int, ...]]:
        """The layers that a statement calls by their names, with the shapes of their weights."""
        parts = {name.partition(".")[0] for name in self.parameters}
        called = {part for part in parts if f"self.{part}(" in source}
        makers = {part: self.maker(part) for part in called}
        ready = [p for p, maker in makers.items() if maker and _READY.search(maker.source)]
        maps = {part: [*self._of(part)] for part in ready}
        return {part: found[0] for part, found in maps.items() if len(found) == 1}

    def _of(self, part: str) -> Iterator[tuple[int, ...]]:
        for name, shape in self.parameters.items():
            if name.partition(".")[0] == part and len(shape) == 2:
                yield tuple(shape)

    def maker(self, part: str) -> RecordedStatement | None:
        """The one line that sets a part of self as the module is made."""
        statements = self.made.statements if self.made is not None else ()
        setters = {s.place: s for s in statements if f"self.{part}" in s.sets and s.source}
        return next(iter(setters.values())) if len(setters) == 1 else None


def _condition(one: Raised) -> Clue | None:
    """The condition that leads to a learner's own `raise`, on an input that is to be taken."""
    if not one.statement.source.startswith("raise "):
        return None
    before = [
        each
        for each in one.ran
        if each.body and each.function == one.statement.function and not each.is_loop
    ]
    if not before:
        return None
    line = one.statement.place.line
    return Clue(before[-1], say("This leads to line {} on an input that is right.", line))


def _layer(held: _Held) -> Clue | None:
    """The line that made a layer of other sizes than what comes in."""
    one = held.one
    right = {tuple(shape) for shape in held.right_maps}
    maps = held.maps(one.statement.source)
    turned = [part for part, s in maps.items() if s not in right and s[::-1] in right]
    if len(turned) == 1 and (maker := held.maker(turned[0])) is not None:
        line = one.statement.place.line
        why = say("Line {} cannot use what this makes. Look at the order of its arguments.", line)
        return Clue(maker, why)
    if _BROADCAST in one.problem.message:
        return _wide(held)
    match = _PRODUCT.search(one.problem.message)
    if match is None:
        return None
    got, wanted, out = (int(number) for number in match.groups())
    named = {part for part in held.parameters if len(held.parameters[part]) == 2}
    parts = {n.partition(".")[0] for n in named if tuple(held.parameters[n]) == (out, wanted)}
    parts = {part for part in parts if f"self.{part}" in one.statement.reads}
    if len(parts) != 1:
        return None
    part = parts.pop()
    maker = held.maker(part)
    if maker is None or maker.place == one.statement.place:
        return None
    why = say(
        "It makes a layer for an input size of {}, and line {} gives it {}. Which of both do you "
        "mean?",
        *(wanted, one.statement.place.line, got),
    )
    is_odd = wanted not in {size for shape in right for size in shape[1:]}
    return Clue(maker, why, is_odd and _is_given(part, one))


def _is_given(part: str, one: Raised) -> bool:
    """Whether a layer is called with one of the function's own arguments, as it came in."""
    tree = parsed(one.statement.source)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)] if tree else []
    given = [ast.unparse(a) for c in calls if ast.unparse(c.func) == f"self.{part}" for a in c.args]
    return bool(given) and all(name in one.held and name not in one.made for name in given)


def _argument(held: _Held, given: Callable[[], Shapes]) -> Clue | None:
    """The line that made the one argument of a call that has another shape than in right code."""
    one = held.one
    statement, names = one.statement, list[str]()
    for _ in range(_MOST_STEPS):
        found = _other(statement, held, given)
        makers = {s.place: s for s in (one.shaped.get(name) for name in found) if s is not None}
        if len(makers) != 1 or any(one.shaped.get(name) is None for name in found):
            break
        maker = next(iter(makers.values()))
        if maker.place == statement.place:
            break
        statement, names = maker, found
        if not set(names).isdisjoint(maker.reads):
            break  # what it was made of has been overwritten
    if not names:
        return None
    what = ", ".join(names)
    why = say("It makes {}, and its shape is not the one that later lines need.", what)
    layer = _too_wide(statement, names[0], held) if len(names) == 1 else None
    if layer is not None:
        why = _widely(statement, what)
    return Clue(layer or statement, why)


def _wide(held: _Held) -> Clue | None:
    """The line that made the layer of which a value cannot stand beside the others."""
    one = held.one
    found = {}
    for name in (name for name in one.statement.reads if name in one.made):
        layer = _too_wide(one.made[name], name, held)
        if layer is not None:
            found[layer.place] = layer, name
    if len(found) != 1:
        return None
    layer, name = next(iter(found.values()))
    return Clue(layer, _widely(one.made[name], name))


def _widely(statement: RecordedStatement, name: str) -> Message:
    line = statement.place.line
    return say(
        "Line {} makes {} with this layer, in a shape that later lines cannot use.", line, name
    )


def _too_wide(statement: RecordedStatement, name: str, held: _Held) -> RecordedStatement | None:
    """The line that made the layer of which a value has a length that no right layer gives."""
    value, maps = held.one.held[name], held.maps(statement.source)
    right = {tuple(shape) for shape in held.right_maps}
    if len(maps) != 1 or not isinstance(value, Tensor) or not value.dim():
        return None
    part, shape = next(iter(maps.items()))
    is_odd = shape not in right and shape[0] == value.shape[-1]
    return held.maker(part) if is_odd else None


def _other(statement: RecordedStatement, held: _Held, given: Callable[[], Shapes]) -> list[str]:
    """Names that an earlier exercise is called with, of another shape than in right code.

    Several of them only where nothing else is given to it.
    """
    one, tree = held.one, parsed(statement.source)
    for node in ast.walk(tree) if tree is not None else ():
        exercise = _exercise(node.func, one, held.made) if isinstance(node, ast.Call) else None
        if exercise is None or not isinstance(node, ast.Call):
            continue
        calls = given().get(exercise, ())
        fits, others = list[str](), list[str]()
        for parameter, part in _bound(exercise, node):
            name = ast.unparse(part)
            wanted = [call for call in calls if call.get(parameter) is not None]
            is_fit = _do_fit(part, one, parameter, wanted)
            if is_fit:
                fits.append(name)
            elif is_fit is False and name.isidentifier():
                others.append(name)
        if len(set(others)) == 1 and fits:
            return others[:1]
        if others and not fits and _are_early(one, others, given()):
            return list(dict.fromkeys(others))
    return []


def _do_fit(
    part: ast.expr, one: Raised, parameter: str, calls: Sequence[Mapping[str, Any]]
) -> bool | None:
    """Whether what is given has a right shape: a name, or what a layer makes of names."""
    names = [each.id for each in ast.walk(part) if isinstance(each, ast.Name)]
    held = [one.held[name] for name in names if one.held.get(name) is not None]
    if not isinstance(part, ast.Name):
        held = [each for each in held if isinstance(each, Tensor)]
    if not calls or not held:
        return None
    return all(any(_fits(each, parameter, call) for call in calls) for each in held)


def _are_early(one: Raised, names: Sequence[str], calls: Shapes) -> bool:
    """Whether they are of the kind that comes into the module: a step is left out."""
    rows = calls.get(one.statement.function.partition(".")[0], ())
    return all(
        any(_fits(one.held[name], parameter, row) for row in rows for parameter in row)
        for name in names
    )


def _exercise(function: ast.expr, one: Raised, made: Recording | None) -> str | None:
    """Which earlier exercise is called: by its own name, or as a part of self, or from a list."""
    name = ast.unparse(function)
    held = one.held.get(name)
    if isinstance(held, Opaque):
        name = held.type_name
    elif name.startswith("self.") and made is not None:
        setters = {s.source.partition(" = ")[2] for s in made.statements if name in s.sets}
        name = setters.pop().partition("(")[0] if len(setters) == 1 else name
    is_exercise = name in syllabus().names
    return name if is_exercise else None


def _bound(exercise: str, call: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    """What stands for which parameter."""
    thing = reference(exercise)
    names = list(inspect.signature(getattr(thing, "forward", thing)).parameters)
    names = [name for name in names if name != "self"]
    if not any(isinstance(part, ast.Starred) for part in call.args):
        yield from zip(names, call.args, strict=False)
        yield from ((each.arg, each.value) for each in call.keywords if each.arg)


def _fits(value: Any, parameter: str, call: Mapping[str, Any]) -> bool:
    """Whether a tensor has the axes of another; it may be repeated along one, or will be."""
    wanted = call[parameter]
    if not isinstance(value, Tensor) or not isinstance(wanted, Tensor):
        return isinstance(value, Tensor) == isinstance(wanted, Tensor)
    if value.dim() != wanted.dim() or value.is_floating_point() != wanted.is_floating_point():
        return False
    beside = [v.shape for v in call.values() if isinstance(v, Tensor) and v.dim() == value.dim()]
    return all(
        size in (1, right) or (right == 1 and size in {shape[axis] for shape in beside})
        for axis, (size, right) in enumerate(zip(value.shape, wanted.shape, strict=True))
    )


def calls_in(
    function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]
) -> Shapes:
    """What right code calls exercises with, however deep inside."""
    trail = Trail(is_ours)
    try:
        with trail:
            watch(Known(), function, args, kwargs)
    except Exception:  # it refuses this input as well
        return {}
    plain = {"statements": trail.statements, "events": trail.events, "problem": None}
    found: dict[str, list[Mapping[str, Any]]] = {}
    recording = Recording.from_value(plain)
    for event in recording.events:
        name = recording.statements[event.statement].function.removesuffix(".forward")
        if event.kind == "call" and name in syllabus().names:
            found.setdefault(name, []).append(event.writes)
    return found
