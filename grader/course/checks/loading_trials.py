"""Says more of weights at wrong places, by state dicts that hide some mistakes; loads none."""

from collections.abc import Callable, Mapping
from typing import Any

from torch import Tensor

from ...candidate.message import Message, joined, known, say

Weights = dict[str, Tensor]
_SELF = ("attention.self.query", "attention.self.key", "attention.self.value")


def _alike(*parts: str) -> Callable[[Weights], Weights]:
    """All of `parts` hold what the first of them holds; layer by layer where they lie in layers."""

    def made_alike(weights: Weights) -> Weights:
        result = dict(weights)
        for name in weights:
            for part in parts[1:]:
                twin = name.replace(part, parts[0])
                if part in name and twin in weights:
                    result[name] = weights[twin].clone()
        return result

    return made_alike


def _same_norms(weights: Weights) -> Weights:
    first = "embeddings.LayerNorm"
    return {
        name: weights[first + name[name.rindex(".") :]].clone() if "LayerNorm" in name else tensor
        for name, tensor in weights.items()
    }


def _symmetric(weights: Weights) -> Weights:
    return {
        name: (t + t.T) / 2 if t.dim() == 2 and t.shape[0] == t.shape[1] else t
        for name, t in weights.items()
    }


# What a state dict can have in common inside itself. Where the answer is right then, and only then,
# these are what was taken for each other.
TRIALS: tuple[tuple[str, Callable[[Weights], Weights]], ...] = (
    ("query, key and value of each layer hold the same numbers", _alike(*_SELF)),
    ("all LayerNorms have one scale and one shift", _same_norms),
    (
        "scale and shift of each LayerNorm are the same numbers",
        _alike("LayerNorm.weight", "LayerNorm.bias"),
    ),
    ("all layers hold the same numbers", _alike("layer.0.", "layer.1.")),
    ("every square matrix is symmetric", _symmetric),
    (
        "the four maps of each attention hold the same numbers",
        _alike(*_SELF, "attention.output.dense"),
    ),
)


def kept_fresh(got: Mapping[str, Any]) -> Message | None:
    """A sentence on parameters that loading did not reach; None where it reached all."""
    names = [str(name) for name in got.get("unchanged") or ()]
    if not names:
        return None
    shown = joined(", ", (repr(name[:80]) for name in names[:3]))
    if len(names) == 1:
        return say(
            "After loading, one parameter still holds the numbers that it was made with: {}.", shown
        )
    return say(
        "After loading, {} parameters still hold the numbers that they were made with: {}{}",
        len(names),
        shown,
        say(", ..." if names[3:] else "."),
    )


def taken_for_each_other(weights: Weights, is_right: Callable[[Weights], bool]) -> Message | None:
    """A sentence on the first kind of weights whose sameness makes the answer right, if any."""
    for case, made_alike in TRIALS:
        if is_right(made_alike(weights)):
            return say("With a state dict in which {}, it is right.", known(case))
    return None
