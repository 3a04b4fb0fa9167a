"""Random inputs of checks, and the sizes that these have; compares nothing."""

from collections.abc import Iterator, Mapping

import torch
from torch import Tensor

_PRIMES = (1031, 1033, 1039, 1049, 1051, 1061, 1063, 1069, 1087, 1091, 1093, 1097, 1103, 1109)
_FAR_ABOVE = 1e9
# Masks that are promised beside those of 64-bit integers; of bytes, ~1 is 254 and 0 − 1 is 255.
MASK_KINDS = {"bool": torch.bool, "32-bit": torch.int32, "uint8": torch.uint8, "int8": torch.int8}
BEYOND_HALF = 2_051  # a count that floats of 16 bits take for another


def normal(generator: torch.Generator, *shape: int) -> Tensor:
    """Random numbers of unit variance."""
    return torch.randn(shape, generator=generator)


def apart_by_bits(*bits: int) -> Tensor:
    """[1, 1 + bits]: 3 and, for each of these bits, 3 with that one set; the lower ones agree."""
    return torch.tensor([[3, *(3 + (1 << bit) for bit in bits)]])


def away_from_0(generator: torch.Generator, *shape: int) -> Tensor:
    """Random numbers on both sides of 0, none of them nearer to it than a tenth."""
    x = normal(generator, *shape)
    return x + 0.1 * x.sign()


def far_apart(generator: torch.Generator, *shape: int) -> Tensor:
    """Scores of tens of thousands, thousands apart along the last axis, so that all is exact."""
    ranks = torch.rand(shape, generator=generator).argsort(-1)
    return (20_000 + 8_192.0 * ranks) * (1 - 2 * torch.randint(2, (), generator=generator))


def one_far_above(x: Tensor, dim: int = 0) -> Tensor:
    """The same, with the second place of an axis a thousand million times as far above 0.

    All stands on one side there, so that nothing of it cancels and right formulations agree.
    """
    other = x.clone()
    row = other.select(dim, 1)
    row.copy_(_FAR_ABOVE * (1 + row.abs()))
    return other


def between(generator: torch.Generator, least: int, most: int) -> int:
    """A size, these two among the possible ones."""
    return int(torch.randint(least, most + 1, (), generator=generator))


def large(generator: torch.Generator) -> int:
    """A size beyond 1,024, where tables made beforehand often end; no equal pieces make it up."""
    return _PRIMES[between(generator, 0, len(_PRIMES) - 1)]


def one_large(generator: torch.Generator, *sizes: int) -> Iterator[tuple[int, ...]]:
    """These sizes with one after the other large."""
    for place in range(len(sizes)):
        yield (*sizes[:place], large(generator), *sizes[place + 1 :])


def sized(**sizes: int) -> Mapping[str, int]:
    """Sizes by name, for messages."""
    return sizes
