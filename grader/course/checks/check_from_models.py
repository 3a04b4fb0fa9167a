"""Checks of functions that are given what a model gave: a table says what each is given."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Generator

from ...candidate.candidate import Candidate
from ...diagnosis.sameness import same_value
from ...diagnosis.tolerances import FUNCTION
from ...marking.expect import wrong
from ...marking.inputs import normal
from ..misconceptions import sample
from ..misconceptions.decoder import score_table
from ..misconceptions.induction_score import causal
from ..misconceptions.key_value_cache import updates
from .check_modules import each

_Given = tuple[str, tuple[Any, ...]]  # what is called, the function or its harness, and with what


def _greedy_decode(generator: Generator) -> _Given:
    return "grader_greedy_decode", (score_table(generator, 4, 5), 2, 4, 8)


def _sample(generator: Generator) -> _Given:
    seed = int(torch.randint(10**6, (), generator=generator))
    settings = {"temperature": 0.7, "top_k": 4, "top_p": 0.9}
    return "grader_sample", (sample.PLAIN, 4, settings, seed)


def _key_value_cache(generator: Generator) -> _Given:
    return "grader_cache", (updates(generator, (2, 1, 1)), [])


def _induction_score(generator: Generator) -> _Given:
    ids = torch.randint(3, (2, 6), generator=generator)
    return "induction_score", (causal(generator, 2, 3, 6), ids)


def _share_of_way(generator: Generator) -> _Given:
    return "share_of_way", tuple(normal(generator, *shape) for shape in ((2, 5), (5,), (5,)))


# Those of which gradients are promised meet such tensors where gradients are asked for.
FROM_MODELS: dict[str, Callable[[Generator], _Given]] = {
    "greedy_decode": _greedy_decode,
    "sample": _sample,
    "KeyValueCache": _key_value_cache,
    "induction_score": _induction_score,
    "share_of_way": _share_of_way,
}


@each(tuple(FROM_MODELS))
def test_requires_gradients(exercise: str, candidate: Candidate, generator: Generator) -> None:
    """Tensors that require gradients, as a model's do, are answered like all others."""
    name, given = FROM_MODELS[exercise](generator)
    plain, tracked = (candidate.through(name, *given, tracked=which) for which in (False, True))
    if not same_value(tracked, plain, FUNCTION):
        raise wrong("The same numbers, in tensors that require gradients, are answered otherwise.")
