"""Looks for answers in other code: every expression and function of it is tried as an exercise."""

from __future__ import annotations

import ast
import builtins
import copy
import inspect
import math
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from grader.candidate.records import Verdict
from grader.candidate.seeds import generator_for
from grader.curriculum.references import reference
from grader.curriculum.syllabus import syllabus
from grader.diagnosis.misconceptions.registry import function_subjects
from tests.candidates import bound, checks, mark_candidate

_LIBRARIES = {"torch": torch, "nn": nn, "F": functional, "math": math, "re": re}
_LIBRARIES |= {"unicodedata": unicodedata, "Tensor": Tensor, "Any": Any, "Callable": Callable}
_HARMLESS = "abs all any bool dict enumerate float int isinstance len list map max min next range "
_HARMLESS += "reversed set slice sorted str sum tuple zip ValueError KeyError"
_NAMES = {name: getattr(builtins, name) for name in _HARMLESS.split()} | _LIBRARIES
_IMPORTS = {"__import__": builtins.__import__}  # PyTorch's own, while it is watched
_MOST = 3  # names that are tried in every order
_CALLS = 4  # of an exercise that are tried before its checks
# An entry that is looked up is no answer of its own: `table[ids]` stands everywhere.
_TRIED = (
    ast.FunctionDef | ast.Lambda | ast.Call | ast.BinOp | ast.IfExp | ast.ListComp | ast.Compare
)


@dataclass(frozen=True)
class Asked:
    """A function exercise, with the arguments of some calls and the answers to them."""

    exercise: str
    calls: tuple[tuple[tuple[Any, ...], Any], ...]

    def gives_functions(self, places: Iterable[int]) -> bool:
        """Whether what its first call gives in these places can be called."""
        return all(callable(given[at]) for given, _ in self.calls[:1] for at in places)

    def seems_answered_by(self, function: Callable[..., Any], order: tuple[int, ...]) -> bool:
        """Whether it answers some call as the reference does, and none before it otherwise."""
        for given, answer in self.calls:
            try:
                value = function(*(_copied(given[at]) for at in order))
            except Exception:
                return False  # the checks would not let that pass
            if not _alike(value, answer):
                return False
            if _same(value, answer):
                return True
        return False

    def passes(self, function: Callable[..., Any], order: tuple[int, ...]) -> bool:
        """Whether it passes all checks."""
        parameters = inspect.signature(reference(self.exercise))

        def asked(*args: Any, **named: Any) -> Any:
            given = parameters.bind(*args, **named)
            given.apply_defaults()
            values = list(given.arguments.values())
            return function(*(values[at] for at in order))

        candidate, exercise = bound(self.exercise, asked), syllabus()[self.exercise]
        candidate.trace = exercise.is_watched  # what is ready-made is refused
        if not checks().passes(candidate, 0, ()):
            return False
        return mark_candidate(exercise, candidate, explain=False).verdict is Verdict.PASSED


def _copied(value: Any) -> Any:
    """So much of a copy that what changes it in place changes nothing here."""
    if isinstance(value, Tensor):
        return value.clone()
    return copy.copy(value) if isinstance(value, list | dict) else value


def _alike(value: Any, answer: Any) -> bool:
    """Whether they are of one kind, of one shape and, as one of the meta device is not, numbers."""
    if isinstance(answer, Tensor):
        is_one = isinstance(value, Tensor) and value.device == answer.device
        return is_one and bool(value.shape == answer.shape)
    return type(value) is type(answer)


def _same(value: Any, answer: Any) -> bool:
    if isinstance(answer, Tensor):
        close = _alike(value, answer)
        return close and torch.allclose(value.float(), answer.float(), atol=1e-5, equal_nan=True)
    if isinstance(answer, tuple):
        return isinstance(value, tuple) and all(map(_same, value, answer))
    return type(value) is type(answer) and bool(value == answer)


@cache
def _asked() -> dict[int, list[Asked]]:
    """The exercises that are plain functions, by how many arguments their calls give at most."""
    found: dict[int, list[Asked]] = {}
    for subject in function_subjects():
        if subject.entry or syllabus()[subject.exercise].kind != "function":
            continue
        probes = [p for p in subject.probes(generator_for(0, "answers")) if not p.kwargs]
        calls = []
        for probe in probes:
            with suppress(ValueError):  # what is refused has no answer
                calls.append((probe.args, subject.run(*copy.deepcopy(probe.args))))
        for count in {len(given) for given, _ in calls}:
            alike = tuple(call for call in calls if len(call[0]) == count)
            found.setdefault(count, []).append(Asked(subject.exercise, alike[:_CALLS]))
    return found


def answers_in(source: str) -> Iterator[tuple[str, str]]:
    """Exercises that an expression or a function of this source answers, each with its text."""
    texts = (ast.unparse(node) for node in ast.walk(ast.parse(source)) if isinstance(node, _TRIED))
    return ((exercise, text) for text in dict.fromkeys(texts) for exercise in _answered_by(text))


@cache
def _answered_by(text: str) -> tuple[str, ...]:
    (stated,) = ast.parse(text).body
    node = stated.value if isinstance(stated, ast.Expr) else stated
    names = [each for each in ast.walk(node) if isinstance(each, ast.Name)]
    made_here = {each.id for each in names if not isinstance(each.ctx, ast.Load)}
    made_here |= {each.arg for each in ast.walk(node) if isinstance(each, ast.arg)}
    used = {each.id for each in names}
    learned = used & set(syllabus().names)  # what earlier chapters have taught
    in_order = dict.fromkeys(each.id for each in names)
    free = [each for each in in_order if each not in made_here | learned | _NAMES.keys()]
    known = {**_NAMES, **{each: reference(each) for each in learned}, "__builtins__": _IMPORTS}
    if isinstance(node, ast.FunctionDef | ast.Lambda):
        count, free = len(node.args.posonlyargs + node.args.args), []
    else:
        count, text = len(free), f"lambda {', '.join(free)}: {text}"
    function, called = _made(text, known), [free.index(each) for each in _called(node, free)]
    if function is None or not count:
        return ()
    found = []
    for most, exercises in _asked().items():
        orders = (
            [(*range(count),)] if not free or count > _MOST else permutations(range(most), count)
        )
        tries = [order for order in orders if count <= most]
        asked = [each for each in exercises if each.exercise not in learned]
        with torch.no_grad():
            seem = [
                (each, order)
                for each in asked
                for order in tries
                if each.gives_functions(order[at] for at in called)
                and each.seems_answered_by(function, order)
            ]
        found += [each.exercise for each, order in seem if each.passes(function, order)]
    return tuple(dict.fromkeys(found))


def _called(node: ast.AST, free: Collection[str]) -> Iterator[str]:
    """Those of these names that are called whenever this is computed."""
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Name) and node.func.id in free:
            yield node.func.id
        for part in (node.func, *node.args):
            yield from _called(part, free)
    elif isinstance(node, ast.Attribute):
        yield from _called(node.value, free)


def _made(text: str, known: dict[str, Any]) -> Callable[..., Any] | None:
    """The function that this text is or defines, with these names alone."""
    with suppress(Exception):
        if not text.startswith("lambda"):
            tree = ast.parse(text)
            (definition,) = tree.body
            if isinstance(definition, ast.FunctionDef):
                definition.decorator_list = []
                exec(
                    compile(f"from __future__ import annotations\n{ast.unparse(tree)}", "", "exec"),
                    known,
                )
                return known[definition.name]
        return eval(text, known)
    return None
