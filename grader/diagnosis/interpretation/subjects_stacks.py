"""What embeddings, encoders and heads are judged against; knows no candidate."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

import torch
from torch import Generator, Tensor

from ..misconceptions.function_subject import Probe
from . import layers, stacks
from .layer_layouts import linear_part, with_shifts
from .layouts import Parts
from .module_subject import ModuleSubject, Switches
from .probes import plain_probes, random_ids, real_tokens, stack_probes, stack_single
from .sizes import BATCH, FREE_EPS, LENGTH, PROMISED_EPS, config
from .stack_layouts import StackSizes, embedding_layouts, stack_layouts
from .used_parts import Part


def embeddings(stack: StackSizes) -> ModuleSubject:
    def layouts(parts: Sequence[Part], on: Switches) -> Iterator[Parts]:
        for found in embedding_layouts(parts, stack, on):
            needed = {"token", "position", "token_type"}
            needed -= {"token_type"} if "no_token_types" in on else set()
            needed -= {"position"} if on & {"no_positions", "sinusoidal_positions"} else set()
            if needed <= found.keys():
                yield found

    def probes(generator: Generator) -> tuple[Probe, ...]:
        types = torch.randint(0, 2, (BATCH, LENGTH), generator=generator)
        types[0, :2] = torch.tensor([0, 1])
        zero = random_ids(stack, 2, 6, generator)
        zero[0, 2] = zero[1, 4] = 0  # no gradient is asked there: padding_idx is free to take it
        return (
            Probe((random_ids(stack, BATCH, LENGTH, generator),), gradient=True),
            Probe((random_ids(stack, BATCH, LENGTH, generator), types), gradient=True),
            Probe((zero,), label="sentences with id 0 among the ids"),
            Probe((random_ids(stack, 1, 1, generator),)),
        )

    run = partial(layers.embeddings, eps=PROMISED_EPS)
    return ModuleSubject("Embeddings", (config(stack, PROMISED_EPS),), run, probes, layouts)


def _is_whole(parts: Parts, on: Switches) -> bool:
    """Whether a reading holds every part around the layers which these switches do not leave out.

    Whether there are token types and a final norm is free: the exercises decide, not the values.
    """
    needed = {"position", "norm"}
    needed -= {"position"} if on & {"no_positions", "sinusoidal_positions"} else set()
    needed -= {"norm"} if on & {"no_embedding_norm", "norm_without_parameters"} else set()
    return needed <= parts.keys()


def encoder(stack: StackSizes) -> ModuleSubject:
    run = partial(stacks.encoder, eps=FREE_EPS, post=False)
    return _deep("TransformerEncoder", stack, replace(stack, labels=0), run, _is_whole, real_tokens)


def classifier(stack: StackSizes) -> ModuleSubject:
    run = partial(stacks.classifier, eps=FREE_EPS)
    return _deep("TransformerForSequenceClassification", stack, stack, run, _is_whole)


def bert(stack: StackSizes) -> ModuleSubject:
    def is_whole(parts: Parts, on: Switches) -> bool:
        typed = "token_type" in parts or "no_token_types" in on
        ends = ("final_norm" in parts) == ("final_norm_added" in on)
        return typed and ends and _is_whole(parts, on)

    run = partial(stacks.encoder, eps=FREE_EPS, post=True)
    return _deep("BertEncoder", stack, replace(stack, labels=0), run, is_whole, real_tokens, True)


def _deep(
    exercise: str,
    stack: StackSizes,
    read: StackSizes,
    run: Callable[..., Tensor],
    is_whole: Callable[[Parts, Switches], bool],
    real: Callable[[Probe], Tensor | None] | None = None,
    typed: bool = False,
) -> ModuleSubject:
    """A stack, whose parameters are read as those of `read`; `typed`: also given token types."""

    def layouts(parts: Sequence[Part], on: Switches) -> Iterator[Parts]:
        yield from stack_layouts(parts, read, on, lambda found: is_whole(found, on))

    return ModuleSubject(
        exercise,
        (config(stack),),
        run,
        partial(stack_probes, stack, typed),
        layouts,
        partial(stack_single, stack),
        tolerance=2e-4,
        is_deep=True,
        real=real,
    )


def pooler(stack: StackSizes) -> ModuleSubject:
    hidden = stack.layer.hidden

    def layouts(parts: Sequence[Part], on: Switches) -> Iterator[Parts]:
        own = with_shifts(sorted(parts, key=lambda part: len(part.shape) < 2))
        dense = linear_part(own[0], hidden, hidden) if len(own) == 1 else None
        if dense is not None and ("b" in dense or "dense_without_bias" in on):
            yield {"dense": dense}

    probes = partial(plain_probes, hidden)
    return ModuleSubject("Pooler", (config(stack),), stacks.pooler, probes, layouts)
