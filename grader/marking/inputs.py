"""Random inputs of checks, and the sizes that these have; compares nothing."""

from collections.abc import Iterator, Mapping

import torch
from torch import Tensor

_PRIMES = (521, 523, 541, 547, 557, 563, 569, 571, 577, 587, 593, 599, 601, 607, 613, 617)


def normal(generator: torch.Generator, *shape: int) -> Tensor:
    """Random numbers of unit variance."""
    return torch.randn(shape, generator=generator)


def far_apart(generator: torch.Generator, *shape: int) -> Tensor:
    """Scores of tens of thousands, thousands apart along the last axis, so that all is exact."""
    ranks = torch.rand(shape, generator=generator).argsort(-1)
    return (20_000 + 8_192.0 * ranks) * (1 - 2 * torch.randint(2, (), generator=generator))


def between(generator: torch.Generator, least: int, most: int) -> int:
    """A size, these two among the possible ones."""
    return int(torch.randint(least, most + 1, (), generator=generator))


def large(generator: torch.Generator) -> int:
    """A size beyond 512, where tables made beforehand often end; no equal pieces make it up."""
    return _PRIMES[between(generator, 0, len(_PRIMES) - 1)]


def one_large(generator: torch.Generator, *sizes: int) -> Iterator[tuple[int, ...]]:
    """These sizes with one after the other large."""
    for place in range(len(sizes)):
        yield (*sizes[:place], large(generator), *sizes[place + 1 :])


def sized(**sizes: int) -> Mapping[str, int]:
    """Sizes by name, for messages."""
    return sizes
