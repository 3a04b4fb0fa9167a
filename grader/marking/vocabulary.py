"""Knows the words and sizes that may be told beside a lent reference; has read none of it."""

import builtins
import re
from collections.abc import Iterable, Iterator
from itertools import takewhile
from typing import Any

import torch
from torch import Tensor, nn

from ..worker.values import Config
from .usual_errors import holes_of, is_usual

# What PyTorch's layers call their parameters, and what a worker makes of a config.
_PARAMETERS = """
weight bias in_proj_weight in_proj_bias q_proj_weight k_proj_weight v_proj_weight bias_k bias_v
parametrizations original original0 original1 weight_g weight_v ConfigObject
"""
_PUBLIC = frozenset({*dir(builtins), *dir(torch), *dir(nn), *dir(Tensor), *_PARAMETERS.split()})
_PATH = re.compile(r"\w{1,60}(?:\.\w{1,60}|\[[0-9]{1,3}\]){0,9}")
_PART = re.compile(r"\.?\w+|\[[0-9]+\]")
_COMPLAINT = 3  # digits: which of the usual ones it is, and of which types it speaks
_SUGGESTS = ". Did you mean"  # what follows may be a name of the reference's
_SMALL = range(-9, 10)  # axes, and how many there are of something


class Vocabulary:
    """What the learner wrote, what the worker was given, and what everybody knows."""

    def __init__(self, written: Iterable[str]) -> None:
        words = (word for code in written for word in re.findall(r"\w+", code))
        self._written = {word for word in words if word.isidentifier()}
        self._names = _PUBLIC | self._written
        self._sizes = set(_SMALL)

    def add_sizes(self, values: Iterable[Any]) -> None:
        """The worker was given this."""
        for value in values:
            if isinstance(value, Config):
                self._names |= value.fields.keys()
        self._sizes.update(_sizes_of(values))

    def knows(self, name: str) -> bool:
        """Whether it is a name that was there before the code ran."""
        return name in self._names

    def known_part(self, text: str) -> str:
        """Of a path of names as far as they are known, a usual complaint whole; else nothing."""
        if _PATH.fullmatch(text):
            known = takewhile(self._knows_part, _PART.findall(text))
            return "".join(known)
        complaints = text, text.partition(_SUGGESTS)[0]
        found = (each for each in complaints if is_usual(each, self._names, self._sizes))
        return next(found, "")

    def cost(self, text: str) -> int:
        """The digits that code could have put into the choice of what is known."""
        if _PATH.fullmatch(text):
            return sum(map(self._cost, _PART.findall(text)))
        return _COMPLAINT + sum(map(self._cost, holes_of(text)))

    def _knows_part(self, part: str) -> bool:
        name = part.strip(".[]")
        return (name.isascii() and name.isdecimal()) or self.knows(name)

    def _cost(self, part: str) -> int:
        name = part.strip(".")
        if name in self._names:
            return len(str(len(self._written if name in self._written else self._names)))
        return len(part.replace(" ", "").strip(".[]"))


def _sizes_of(values: Iterable[Any]) -> Iterator[int]:
    """Numbers, and the lengths of axes, alone and of neighbours taken together."""
    for value in values:
        if isinstance(value, Tensor):
            for start in range(value.dim()):
                product = 1
                for size in value.shape[start:]:
                    product *= size
                    yield product
        elif isinstance(value, Config):
            yield from _sizes_of(value.fields.values())
        elif type(value) is int:
            yield value
