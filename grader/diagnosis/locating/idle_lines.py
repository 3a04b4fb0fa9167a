"""Finds lines that show by themselves that something is amiss; knows no right answer."""

import ast
import inspect
import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from ...candidate.message import NOTHING, Message, say
from ...curriculum.syllabus import syllabus
from ...worker.trail import RETURN
from ...worker.values import Opaque
from .recording import Event, RecordedStatement, Recording

_NOTHING = say("This line changes nothing: what it makes is not kept. What should happen here?")
_EMPTY = say("Nothing happens in this line. Should something?")
_HOLLOW = say("It holds nothing, and no other line puts anything in. What should be in it?")
_CONTAINER = re.compile(r"(self\.\w+) = (?:nn\.)?(?:ModuleList|ModuleDict|Sequential)\(\)")
_SAME_WAY = say("This goes the same way whatever comes in. On what should it depend?")
_NONE = say("This gives back None. What should come back?")
_NO_RETURN = say("The function ends here without giving anything back. What should come back?")
_MAKE = say("What should be made of it?")
_ONCE = say("What this makes can be gone through only once, so the next call finds it empty.")
_CHANGING = (
    "backward register_hook retain_grad index count apply append extend insert pop remove sort "
    "reverse clear copy add update write numpy set put resize share_memory format names "
    "register_post_accumulate_grad_hook record_stream requires_grad grad data to float double half "
    "bfloat16 cpu cuda type"
)
_LAYERS = {name for name in syllabus().names if name[0].isupper()}
_OF_TENSORS = {name for name in dir(Tensor) if name[0] != "_" and name[-1] != "_"}
_OF_TEXTS = {name for name in dir(str) if name[0] != "_"}
_PURE = (_OF_TENSORS | _OF_TEXTS) - set(_CHANGING.split())


@dataclass(frozen=True)
class Clue:
    """A line that is to be looked at for certain, and why."""

    statement: RecordedStatement
    why: Message
    words: Message = NOTHING  # what it means, where that can be told without the line


def idle_line(recordings: list[Recording]) -> Clue | None:
    """A line that ran and shows by itself that something is amiss; None where none does."""
    for recording in recordings:
        for statement in recording.statements:
            message = _idle(statement.source)
            if message is not None:
                return Clue(statement, message)
        for statement in recording.statements:
            if _is_unkept_layer(statement.source, recordings):
                return Clue(statement, _NOTHING)
            if _is_left_empty(statement.source, recordings):
                return Clue(statement, _HOLLOW)
    return None


def gives_back(recordings: list[Recording]) -> Clue | None:
    """The line that gives back None, or an argument as it came in, where neither is right."""
    ends = [
        (recording, _inmost_none(recording, index))
        for recording in recordings
        for index, event in enumerate(recording.events)
        if recording.is_answer(event)
    ]
    places = {recording.statements[end.statement].place for recording, end in ends}
    for recording, end in ends[:1]:
        statement, value = recording.statements[end.statement], end.writes.get(RETURN, ...)
        source = statement.source
        if value is None and (source in ("return", "return None") or source.endswith(")")):
            return Clue(statement, _NONE)
        if value is None and source and not source.startswith("return") and not statement.body:
            return Clue(statement, _NO_RETURN)
        before = [each for each in recording.events if each.frame == end.frame]
        statements = [recording.statements[each.statement] for each in before]
        has_turned = any(each.body and not each.is_loop for each in statements)
        name = source.removeprefix("return ").partition("#")[0].strip()
        is_as_given = [each.kind for each in before if name in each.writes] == ["call"]
        if is_as_given and (len(places) == 1 or not has_turned):
            return Clue(statement, say("{} comes back as it was given. {}", name, _MAKE))
    return None


def _inmost_none(recording: Recording, index: int) -> Event:
    """The end of a helper that gave the None which is handed on there; else this end itself."""
    event, before = recording.events[index], recording.events[index - 1]
    is_inner = (before.kind, before.caller, before.at) == ("return", event.frame, event.statement)
    if is_inner and event.writes.get(RETURN, ...) is None is before.writes.get(RETURN, ...):
        return _inmost_none(recording, index - 1)
    return event


def kept_default(recordings: list[Recording], right: Callable[..., Any]) -> Clue | None:
    """The line that changes a default value, so that calls find what earlier ones have left.

    `right` takes only what calls give: what comes beyond that is the learner's own.
    """
    given = len(inspect.signature(right).parameters)
    firsts = [(each, next((e for e in each.events if not e.caller), None)) for each in recordings]
    calls = [(each, first) for each, first in firsts if first is not None and first.kind == "call"]
    for (_, one), (recording, other) in itertools.pairwise(calls):
        for name in list(other.writes)[given:]:
            value = other.writes[name]
            if type(value) in (list, dict, set) and value != one.writes.get(name, value):
                for event in recording.events:
                    if event.kind == "line" and name in event.writes and event.frame == other.frame:
                        return Clue(recording.statements[event.statement], _kept(name))
    return None


def _kept(name: str) -> Message:
    return say(
        "What this puts into {} is still there when the function is called next. When is the value "
        "made that it has where nothing is given?",
        name,
    )


def _idle(source: str) -> Message | None:
    """Why a statement does nothing."""
    node = parsed(source)
    if isinstance(node, ast.Pass):
        return _EMPTY
    if isinstance(node, ast.If) and isinstance(node.test, ast.Constant):
        return _SAME_WAY
    if isinstance(node, ast.While) and isinstance(node.test, ast.Constant):
        return None if node.test.value else _SAME_WAY
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        target = ast.unparse(node.targets[0])
        if isinstance(node.value, ast.GeneratorExp) and target.startswith("self."):
            return _ONCE
        return _NOTHING if target == ast.unparse(node.value) else None
    if isinstance(node, ast.Expr):
        if isinstance(node.value, ast.Constant):
            return None
        return None if any(map(_may_change, ast.walk(node.value))) else _NOTHING
    return None


def _is_unkept_layer(source: str, recordings: list[Recording]) -> bool:
    """Whether it calls a layer of an earlier exercise, and keeps nothing of it."""
    node = parsed(source)
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
        return False
    name = ast.unparse(node.value.func)
    return any(
        (isinstance(event.writes.get(name), Opaque) and event.writes[name].type_name in _LAYERS)
        or any(f"{name} = {layer}(" in statement.source for layer in _LAYERS)
        for recording in recordings
        for event in recording.events
        for statement in [recording.statements[event.statement]]
        if name in (*event.writes, *statement.sets)
    )


def _is_left_empty(source: str, recordings: list[Recording]) -> bool:
    """Whether it makes a container of layers that nothing fills."""
    match = _CONTAINER.match(source)
    if match is None:
        return False
    name = match[1]
    others = [each.source for recording in recordings for each in recording.statements]
    others = [each for each in others if each != source and name in each]
    return all(re.match(rf"for .* in {re.escape(name)}\s*:", each) for each in others)


def _may_change(node: ast.AST) -> bool:
    """Whether it can do more than to give a value."""
    if isinstance(node, ast.Call):
        is_pure = isinstance(node.func, ast.Attribute) and node.func.attr in _PURE
        return not is_pure or any(keyword.arg == "out" for keyword in node.keywords)
    return isinstance(node, ast.Yield | ast.YieldFrom | ast.Await | ast.NamedExpr)


def parsed(source: str) -> ast.stmt | None:
    """One statement, or the head of one."""
    for text in (source, f"{source} pass"):
        try:
            body = ast.parse(text).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        return body[0] if len(body) == 1 else None
    return None
