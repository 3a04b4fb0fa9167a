"""Inputs on which mistakes of modules show; it knows no exercise and no candidate."""

from collections.abc import Sequence

import torch
from torch import Generator, Tensor

from ...diagnosis.misconceptions.function_subject import Probe
from .sizes import BATCH, LAYER, LENGTH, StackSizes


def masks(length: int, keys: int, generator: Generator) -> tuple[Tensor, Tensor]:
    """A padding mask [3, 1, key] as integers, and a mask for every query [3, query, key] as bool.

    Every row hides a key and shows a key: what code does with a row that hides all is outside the
    contract, also when it takes the mask the wrong way round.
    """
    padding = torch.ones(BATCH, 1, keys, dtype=torch.long)
    padding[0, 0, keys - 1] = 0
    padding[1, 0, keys - 2 :] = 0
    padding[2, 0, 2:] = 0
    each = torch.rand(BATCH, length, keys, generator=generator) > 0.45
    rows = torch.arange(length)
    each[:, rows, rows % keys] = True
    each[:, rows, (rows + 2) % keys] = False
    return padding, each


def sequence_probes(width: int, generator: Generator, loud: float = 0.0) -> tuple[Probe, ...]:
    """A hidden state without a mask, with both kinds of mask, and at another length.

    `loud`: one more, as many times larger, with scores so low that a small fill stands out.
    """

    def x(batch: int, length: int) -> Tensor:
        return torch.randn(batch, length, width, generator=generator)

    padding, each = masks(LENGTH, LENGTH, generator)
    found = (
        Probe((x(BATCH, LENGTH),), label="no mask", gradient=True),
        Probe((x(BATCH, LENGTH), padding), label="a padding mask"),
        Probe((x(BATCH, LENGTH), each), label="a mask for every query", gradient=True),
        Probe((x(1, 6),), label="one sentence of another length"),
        Probe((x(LAYER.heads, LENGTH), _per_head(padding)), label="as many sentences as heads"),
    )
    if not loud:
        return found
    return (*found, Probe((loud * x(BATCH, LENGTH), padding), label="a padding mask"))


def _per_head(mask: Tensor) -> Tensor:
    """The mask for as many sentences as there are heads: an axis that is taken for another fits."""
    return mask[torch.arange(LAYER.heads) % BATCH]


def plain_probes(width: int, generator: Generator) -> tuple[Probe, ...]:
    """Hidden states of three sizes and scales."""
    return tuple(
        Probe((torch.randn(*shape, width, generator=generator) * scale,), gradient=gradient)
        for shape, scale, gradient in (
            ((BATCH, LENGTH), 1.0, True),
            ((1, 6), 2.0, False),
            ((BATCH, LENGTH), 0.3, True),
        )
    )


def single(width: int, generator: Generator, sequences: int = 1) -> Probe:
    """One token a sentence, which has none other to attend to; or one of each of two sequences."""
    drawn = [torch.randn(BATCH, 1, width, generator=generator) for _ in range(sequences)]
    return Probe(tuple(drawn), gradient=True)


def cross_probes(width: int, generator: Generator) -> tuple[Probe, ...]:
    """Two sequences, of the same length and not, with both kinds of mask and without."""

    def draw(length: int, batch: int = BATCH) -> Tensor:
        return torch.randn(batch, length, width, generator=generator)

    padding, each = masks(LENGTH, 6, generator)
    alike, _ = masks(LENGTH, LENGTH, generator)
    heads = LAYER.heads
    return (
        Probe((draw(LENGTH), draw(6)), gradient=True),
        Probe((draw(5), draw(5)), label="two sequences of the same length"),
        Probe((draw(LENGTH), draw(LENGTH), alike), label="two sequences of the same length"),
        Probe((draw(LENGTH, heads), draw(6, heads), _per_head(each)), label="as many as heads"),
        Probe((draw(LENGTH), draw(6), padding)),
        Probe((draw(LENGTH)[:1], draw(6)[:1]), label="one sentence alone"),
        Probe((draw(LENGTH), draw(6), each), gradient=True),
    )


def random_ids(stack: StackSizes, batch: int, length: int, generator: Generator) -> Tensor:
    """Ids [batch, length] of any piece but the padding."""
    return torch.randint(1, stack.vocab, (batch, length), generator=generator)


def embeddings_probes(stack: StackSizes, generator: Generator) -> tuple[Probe, ...]:
    """Ids with types and without, with id 0 among them, one alone, and all but 0."""
    types = torch.randint(0, stack.types, (BATCH, LENGTH), generator=generator)
    types[0, :2] = torch.tensor([0, stack.types - 1])
    zero = random_ids(stack, 2, 6, generator)
    zero[0, 2] = zero[1, 4] = 0  # no gradient is asked there: padding_idx is free to take it
    every = torch.arange(1, stack.vocab).unflatten(0, (2, -1)).T.flatten()  # not in order
    every = torch.cat([every, every[: -len(every) % BATCH]]).view(BATCH, -1)
    return (
        Probe((random_ids(stack, BATCH, LENGTH, generator),), gradient=True),
        Probe((random_ids(stack, BATCH, LENGTH, generator), types), gradient=True),
        Probe((zero,), label="sentences with id 0 among the ids"),
        Probe((random_ids(stack, 1, 1, generator),)),
        Probe((every,), label="sentences with every id but 0", gradient=True),
    )


def only_id_probes(others: Sequence[int], _: Generator) -> tuple[Probe, ...]:
    """Id 0 at the only position, alone and with masks or types of nothing but these."""
    ids = torch.zeros(BATCH, 1, dtype=torch.long)
    given = [ids, *(torch.full_like(ids, other) for other in others)]
    return tuple(Probe(tuple(given[:count])) for count in range(1, len(given) + 1))


def stack_probes(stack: StackSizes, typed: bool, generator: Generator) -> tuple[Probe, ...]:
    """Ids with padding and without; `typed`: token types once as well."""
    mask = torch.ones(BATCH, 5, dtype=torch.long)
    for row, kept in enumerate((3, 4, 2)):  # each row has padding, here
        mask[row, kept:] = 0
    flags = mask.flip(0).bool()
    flags[0] = True
    zero = random_ids(stack, LAYER.heads, 5, generator)
    zero[0, 2] = 0  # a token, as the mask says; no gradient is asked there: padding_idx may take it
    found = [
        Probe((random_ids(stack, BATCH, LENGTH, generator),), gradient=True),
        Probe((random_ids(stack, BATCH, 5, generator), mask), gradient=True),
        Probe((zero, _per_head(flags)), label="sentences with id 0 among the ids"),
        Probe((random_ids(stack, 1, 6, generator),), label="one sentence alone"),
    ]
    if typed:
        types = torch.randint(0, stack.types, (BATCH, 5), generator=generator)
        found.append(Probe((random_ids(stack, BATCH, 5, generator), mask, types)))
    return tuple(found)


def stack_single(stack: StackSizes, generator: Generator) -> Probe:
    """One token a sentence."""
    return Probe((random_ids(stack, BATCH, 1, generator),), gradient=True)


def real_tokens(probe: Probe) -> Tensor | None:
    """[batch, seq], True at the tokens that are no padding; what comes out at padding is free."""
    mask = probe.args[1] if len(probe.args) > 1 else None
    return None if mask is None else mask.bool()
