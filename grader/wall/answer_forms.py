"""Whether an answer has the form that its operation promises; must not trust any worker.

A form is a type, a dict with the form of each entry, a test, or None for anything at all.
"""

from collections.abc import Callable, Container, Sequence
from typing import Any

from torch import Tensor

from ..worker.edits.all_edits import KINDS as EDITS
from ..worker.edits.sites import MAX_TWINS
from ..worker.inventory import MAX_KINDS, MAX_PATH
from ..worker.problems import KINDS, MAX_FRAMES, MAX_MESSAGE
from ..worker.protocol import ProtocolError
from ..worker.trail import MAX_EVENTS, MAX_NAMES
from ..worker.values import printable

_Test = Callable[[Any], bool]


def message(tree: Any) -> tuple[str, Any]:
    """("answer", answer) or ("callback", call); raises ProtocolError on anything else."""
    if _fits(tree, {"answer": dict}):
        return "answer", tree["answer"]
    if _fits(tree, {"callback": int, "args": tuple, "kwargs": _dict_of(None)}):
        return "callback", tree
    raise ProtocolError("neither an answer nor a callback")


def check(op: str, answer: dict[str, Any], asked: Sequence[str] = ()) -> None:
    """Raise ProtocolError unless the answer is of the form that `op` promises.

    `asked`: the operations that are asked for within it.
    """
    form = _within(op, asked) if op in _WITHIN else _RESULTS.get(op, {})
    if not _fits(answer, {"error": _PROBLEM}) and not _fits(answer, {"ok": form}):
        raise ProtocolError(f"an answer that is no answer to {op}")


def _fits(tree: Any, form: Any) -> bool:
    if isinstance(form, dict):
        return (
            type(tree) is dict
            and tree.keys() == form.keys()
            and all(_fits(tree[name], part) for name, part in form.items())
        )
    if form is None or isinstance(form, type):
        return form is None or type(tree) is form
    return bool(form(tree))


def _list_of(form: Any, most: int | None = None) -> _Test:
    return lambda tree: (
        type(tree) is list
        and (most is None or len(tree) <= most)
        and all(_fits(part, form) for part in tree)
    )


def _dict_of(form: Any) -> _Test:
    return lambda tree: (
        type(tree) is dict
        and all(type(name) is str and _fits(part, form) for name, part in tree.items())
    )


def _or_none(form: Any) -> _Test:
    return lambda tree: tree is None or _fits(tree, form)


def _words(most: int) -> _Test:
    """Text for people: a worker that made it longer or unprintable would fill the gradebook."""
    return lambda tree: type(tree) is str and len(tree) <= most and printable(tree) == tree


def _one_of(texts: Container[str]) -> _Test:
    return lambda tree: type(tree) is str and tree in texts


def _path(tree: Any) -> bool:
    return type(tree) is str and len(tree) <= MAX_PATH


_SIZES = _list_of(int)
# An honest worker cuts a text to 200 characters before it writes some of them as escapes.
_TEXT = _words(2_000)
_NAMES = _list_of(_TEXT, MAX_NAMES)
_FRAME = {"label": _TEXT, "line": int, "function": _TEXT, "source": _TEXT}
_TRACED = {**_FRAME, "part": _TEXT}
_PROBLEM = {
    "kind": _one_of(KINDS),
    "type": _TEXT,
    "message": _words(MAX_MESSAGE),
    "where": _TEXT,
    "frames": _list_of(_TRACED, MAX_FRAMES),
}
_STATEMENT = {**_FRAME, "reads": _NAMES, "sets": _NAMES}
_RAISED = {"statement": int, "held": _dict_of(None), "made": _dict_of(int)}
_PARAMETER = {"name": _path, "shape": _SIZES, "requires_grad": bool, "alias_of": _or_none(_path)}
_DESCRIPTION = {
    "handle": int,
    "parameters": _list_of(_PARAMETER),
    "loose": _list_of({"path": _path, "shape": _SIZES, "kind": _TEXT}),
    "kinds": _list_of(_TEXT, MAX_KINDS),
    "is_module": bool,
}
_EDIT = {
    "label": _TEXT,
    "line": int,
    "also": _list_of(int, MAX_TWINS),
    "source": _TEXT,
    "part": _TEXT,
    "kind": _one_of(EDITS),
}
_RESULTS: dict[str, dict[str, Any]] = {
    "load": {"left_out": _list_of(_PROBLEM, 1)},
    "run": {"ready_made": _list_of(_TEXT)},
    "take": {"heard": _list_of(_TEXT)},
    "choose": {},
    "write": {},
    "read": {"values": _dict_of(Tensor)},
    "effective_values": {"values": _dict_of(Tensor)},
    "call": {
        "value": None,
        "grads": _or_none(_list_of(_or_none(Tensor))),
        "parameter_grads": _or_none(_dict_of(_or_none(Tensor))),
        "mutated": _SIZES,
        "operators": _list_of(_TEXT),
    },
    "record": {
        "statements": _list_of(_STATEMENT, MAX_EVENTS),
        "is_cut": bool,
        "raised": _or_none(_RAISED),
        "problem": _or_none(_PROBLEM),
    },
    "construct": {**_DESCRIPTION, "changed_fields": _NAMES},
    "describe": _DESCRIPTION,
    "effective": _DESCRIPTION,
}

_WITHIN = ("several", "alter")  # these ask for others


def _within(op: str, asked: Sequence[str]) -> dict[str, Any]:
    """The form of what one of them promises."""
    forms = [{"ok": _RESULTS[each]} for each in asked]

    def some(tree: Any) -> bool:
        return (
            type(tree) is list
            and len(tree) <= len(asked)
            and all(
                _fits(answer, {"error": _PROBLEM}) or _fits(answer, form)
                for answer, form in zip(tree, forms, strict=False)
            )
        )

    def to_all(tree: Any) -> bool:
        """Or up to an object that could not be made."""
        if not some(tree) or len(tree) == len(asked):
            return some(tree)
        return len(tree) > 0 and asked[len(tree) - 1] == "construct" and "error" in tree[-1]

    if op == "several":
        return {"answers": lambda tree: some(tree) and len(tree) > 0}
    return {"edits": _list_of({"edit": _EDIT, "answers": to_all})}
