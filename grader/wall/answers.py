"""Whether an answer has the form that its operation promises; must not trust any worker."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch import Tensor

from ..worker.protocol import ProtocolError

_Test = Callable[[Any], bool]


def message(tree: Any) -> tuple[str, Any]:
    """("answer", answer) or ("callback", call); raises ProtocolError on anything else."""
    if _is_dict(tree) and set(tree) == {"answer"} and _is_dict(tree["answer"]):
        return "answer", tree["answer"]
    if _fits(tree, {"callback": _is_int, "args": _is_tuple, "kwargs": _is_dict}) and all(
        type(name) is str for name in tree["kwargs"]
    ):
        return "callback", tree
    raise ProtocolError("neither an answer nor a callback")


def check(op: str, answer: dict[str, Any]) -> None:
    """Raise ProtocolError unless the answer is of the form that `op` promises."""
    if set(answer) == {"error"} and _is_problem(answer["error"]):
        return
    if set(answer) == {"ok"} and _fits(answer["ok"], _RESULTS.get(op, {})):
        return
    raise ProtocolError(f"an answer that is no answer to {op}")


def _fits(tree: Any, form: dict[str, _Test]) -> bool:
    return _is_dict(tree) and set(tree) == set(form) and all(form[k](tree[k]) for k in form)


def _list_of(test: _Test) -> _Test:
    return lambda tree: type(tree) is list and all(test(part) for part in tree)


def _dict_of(test: _Test) -> _Test:
    return lambda tree: (
        _is_dict(tree) and all(type(name) is str and test(part) for name, part in tree.items())
    )


def _row(**form: _Test) -> _Test:
    return lambda tree: _fits(tree, form)


def _or_none(test: _Test) -> _Test:
    return lambda tree: tree is None or test(tree)


def _is_dict(tree: Any) -> bool:
    return type(tree) is dict


def _is_tuple(tree: Any) -> bool:
    return type(tree) is tuple


def _is_int(tree: Any) -> bool:
    return type(tree) is int


def _is_bool(tree: Any) -> bool:
    return type(tree) is bool


def _is_text(tree: Any) -> bool:
    return type(tree) is str


def _is_tensor(tree: Any) -> bool:
    return isinstance(tree, Tensor)


def _anything(_: Any) -> bool:
    return True


_sizes = _list_of(_is_int)
_pair = _list_of(_is_text)
_frame = _row(label=_is_text, line=_is_int, function=_is_text, source=_is_text)
_is_problem = _row(
    kind=_is_text, type=_is_text, message=_is_text, where=_is_text, frames=_list_of(_frame)
)
_parameter = _row(
    name=_is_text,
    shape=_sizes,
    dtype=_is_text,
    requires_grad=_is_bool,
    owners=_list_of(lambda tree: _pair(tree) and len(tree) == 2),
    alias_of=_or_none(_is_text),
)
_RESULTS: dict[str, dict[str, _Test]] = {
    "load": {},
    "write": {},
    "optimizer": {"handle": _is_int},
    "read": {"values": _dict_of(_is_tensor)},
    "call": {
        "value": _anything,
        "grads": _or_none(_list_of(_or_none(_is_tensor))),
        "parameter_grads": _or_none(_dict_of(_or_none(_is_tensor))),
        "mutated": _list_of(_is_int),
        "operators": _list_of(_is_text),
        "requires_grad": _is_bool,
    },
    "construct": {
        "handle": _is_int,
        "parameters": _list_of(_parameter),
        "buffers": _list_of(_row(name=_is_text, shape=_sizes, dtype=_is_text, persistent=_is_bool)),
        "modules": _list_of(_row(path=_is_text, **{"class": _is_text}, same_as=_or_none(_is_text))),
        "loose": _list_of(_row(path=_is_text, shape=_sizes, kind=_is_text)),
        "is_module": _is_bool,
    },
}
