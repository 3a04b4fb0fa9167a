"""sentence_vector with its wrong turns: averaging over the wrong axis, or not averaging."""

from collections.abc import Callable

from torch import Generator, Tensor

from .function_subject import FunctionSubject, Probe, standard_normal
from .switches import NONE, Switches, chosen

VECTORS: dict[str, Callable[[Tensor, int, bool], Tensor]] = {  # along an axis that may be kept
    "over_everything": lambda x, axis, keep: x.mean(),
    "over_batch_and_tokens": lambda x, axis, keep: x.mean((0, 1)),
    "first_token": lambda x, axis, keep: x.select(axis, 0),
    "last_token": lambda x, axis, keep: x.select(axis, -1),
    "maximum": lambda x, axis, keep: x.amax(axis, keepdim=keep),
    "minimum": lambda x, axis, keep: x.amin(axis, keepdim=keep),
    "median": lambda x, axis, keep: x.median(axis, keepdim=keep).values,
    "summed": lambda x, axis, keep: x.sum(axis, keepdim=keep),
    "by_features": lambda x, axis, keep: x.sum(axis, keepdim=keep) / x.shape[2],
    "by_batch": lambda x, axis, keep: x.sum(axis, keepdim=keep) / x.shape[0],
    "one_too_few": lambda x, axis, keep: x.sum(axis, keepdim=keep) / (x.shape[axis] - 1),
}


def sentence_vector(hidden_state: Tensor, on: Switches = NONE) -> Tensor:
    """The reference with switches."""
    x = hidden_state
    if "changes_its_input" in on:
        x.div_(x.shape[1])
        return x.sum(1)
    axis = chosen({"over_batch": 0, "over_features": 2}, on, 1)
    vector = chosen(VECTORS, on, lambda x, axis, keep: x.mean(axis, keepdim=keep))
    result = vector(x, axis, "axis_kept" in on)
    return result / result.norm(dim=-1, keepdim=True) if "unit_length" in on else result


def probes(generator: Generator) -> tuple[Probe, ...]:
    """Pairwise different sizes, a square one, a single token."""
    draw = standard_normal(generator)
    return (
        Probe((draw(2, 5, 3),), gradient=True),
        Probe((draw(4, 3, 7),)),
        Probe((draw(3, 3, 3),), label="all sizes equal"),
        Probe((draw(1, 6, 2),)),
    )


SUBJECTS = (FunctionSubject("sentence_vector", sentence_vector, probes),)
