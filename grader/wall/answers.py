"""Whether an answer has the form that its operation promises; must not trust any worker."""

from collections.abc import Callable, Container
from typing import Any

from torch import Tensor

from ..worker.edits import KINDS as EDITS
from ..worker.modules import MAX_KINDS, MAX_PATH
from ..worker.problems import KINDS, MAX_FRAMES, MAX_MESSAGE
from ..worker.protocol import ProtocolError
from ..worker.trail import EVENTS, MAX_EVENTS, MAX_NAMES
from ..worker.values import printable

# Of texts that an honest worker cuts to 200 characters before it writes some of them as escapes.
_MAX_WORDS = 2_000
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


def _list_of(test: _Test, most: int | None = None) -> _Test:
    return lambda tree: (
        type(tree) is list
        and (most is None or len(tree) <= most)
        and all(test(part) for part in tree)
    )


def _dict_of(test: _Test) -> _Test:
    return lambda tree: (
        _is_dict(tree) and all(type(name) is str and test(part) for name, part in tree.items())
    )


def _row(**form: _Test) -> _Test:
    return lambda tree: _fits(tree, form)


def _or_none(test: _Test) -> _Test:
    return lambda tree: tree is None or test(tree)


def _exactly(kind: type) -> _Test:
    return lambda tree: type(tree) is kind


_is_dict, _is_tuple, _is_int, _is_bool = map(_exactly, (dict, tuple, int, bool))


def _words(most: int) -> _Test:
    """Text for people: a worker that made it longer or unprintable would fill the gradebook."""
    return lambda tree: type(tree) is str and len(tree) <= most and printable(tree) == tree


def _one_of(texts: Container[str]) -> _Test:
    return lambda tree: type(tree) is str and tree in texts


def _is_path(tree: Any) -> bool:
    return type(tree) is str and len(tree) <= MAX_PATH


def _is_tensor(tree: Any) -> bool:
    return isinstance(tree, Tensor)


def _anything(_: Any) -> bool:
    return True


_sizes = _list_of(_is_int)
_text = _words(_MAX_WORDS)
_frame = _row(label=_text, line=_is_int, function=_text, source=_text)
_is_problem = _row(
    kind=_one_of(KINDS),
    type=_text,
    message=_words(MAX_MESSAGE),
    where=_text,
    frames=_list_of(_frame, MAX_FRAMES),
)
_statement = _row(
    label=_text,
    line=_is_int,
    function=_text,
    source=_text,
    body=_is_int,
    reads=_list_of(_text, MAX_NAMES),
    sets=_list_of(_text, MAX_NAMES),
)
_event = _row(
    frame=_is_int,
    caller=_is_int,
    at=_is_int,
    spoilt=_list_of(_text, MAX_NAMES),
    kind=_one_of(EVENTS),
    statement=_is_int,
    writes=_dict_of(_anything),
    tracked=_list_of(_text),
)
_parameter = _row(
    name=_is_path,
    shape=_sizes,
    requires_grad=_is_bool,
    alias_of=_or_none(_is_path),
)
_DESCRIPTION = {
    "handle": _is_int,
    "parameters": _list_of(_parameter),
    "loose": _list_of(_row(path=_is_path, shape=_sizes, kind=_text)),
    "kinds": _list_of(_text, MAX_KINDS),
    "is_module": _is_bool,
}
_RESULTS: dict[str, dict[str, _Test]] = {
    "load": {"left_out": _list_of(_is_problem, 1)},
    "run": {},
    "take": {},
    "write": {},
    "read": {"values": _dict_of(_is_tensor)},
    "effective_values": {"values": _dict_of(_is_tensor)},
    "call": {
        "value": _anything,
        "grads": _or_none(_list_of(_or_none(_is_tensor))),
        "parameter_grads": _or_none(_dict_of(_or_none(_is_tensor))),
        "mutated": _list_of(_is_int),
        "operators": _list_of(_text),
    },
    "record": {
        "statements": _list_of(_statement, MAX_EVENTS),
        "events": _list_of(_event, MAX_EVENTS),
        "problem": _or_none(_is_problem),
    },
    "alter": {"edit": _or_none(_row(label=_text, line=_is_int, source=_text, kind=_one_of(EDITS)))},
    "construct": _DESCRIPTION,
    "describe": _DESCRIPTION,
    "effective": _DESCRIPTION,
}
