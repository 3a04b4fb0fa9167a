"""What feed-forward, norm and layer exercises are judged against; knows no candidate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import torch
from torch import Generator

from ..misconceptions.function_subject import Probe
from . import layers, stacks
from .layer_layouts import feed_forward_layouts, layer_layouts, norm_part, with_shifts
from .layouts import Parts
from .module_subject import ModuleSubject, Switches
from .probes import cross_probes, plain_probes, sequence_probes, single, single_pair
from .sizes import BATCH, FREE_EPS, LENGTH, config
from .stack_layouts import StackSizes
from .used_parts import Part

NORM_EPS = 0.1


def feed_forward(stack: StackSizes) -> ModuleSubject:
    hidden = stack.layer.hidden

    def layouts(parts: Sequence[Part], on: Switches) -> Iterator[Parts]:
        inner = 4 * hidden if "inner_four_times" in on else stack.layer.intermediate
        bias = "feed_forward_without_bias" not in on
        yield from feed_forward_layouts(with_shifts(parts), hidden, inner, bias)

    probes = partial(plain_probes, hidden)
    return ModuleSubject(
        "FeedForward", (config(stack),), layers.feed_forward, probes, layouts, tolerance=1e-5
    )


def layer_norm() -> ModuleSubject:
    def layouts(parts: Sequence[Part], on: Switches) -> Iterator[Parts]:
        if "norm_without_parameters" in on:
            yield {}
            return
        for part in parts[:1]:
            norm = norm_part(part)
            if set(norm) == {"w", "b"} or (set(norm) == {"w"} and "norm_without_shift" in on):
                yield norm

    def probes(generator: Generator) -> tuple[Probe, ...]:
        shift = torch.randn(BATCH, LENGTH, 1, generator=generator)
        x = torch.randn(BATCH, LENGTH, 7, generator=generator)
        return (
            Probe((x + shift,), gradient=True),
            Probe((x * 0.2 + 2 * shift,), gradient=True),
            Probe((torch.randn(2, 6, 7, generator=generator) * 5,)),
            Probe((x * 1e-5,), label="tokens 100,000 times smaller"),  # any fixed ε shows
        )

    run = partial(layers.layer_norm, eps=NORM_EPS)
    return ModuleSubject("LayerNorm", (7, NORM_EPS), run, probes, layouts, tolerance=2e-5)


def encoder_layer(exercise: str, post: bool, stack: StackSizes) -> ModuleSubject:
    def layouts(parts: Sequence[Part], on: Switches) -> Iterator[Parts]:
        yield from layer_layouts(parts, stack.layer, on=on)

    return ModuleSubject(
        exercise,
        (config(stack),),
        partial(layers.encoder_layer, eps=FREE_EPS, post=post),
        partial(sequence_probes, stack.layer.hidden),
        layouts,
        partial(single, stack.layer.hidden),
    )


def decoder_layer(stack: StackSizes) -> ModuleSubject:
    def layouts(parts: Sequence[Part], on: Switches) -> Iterator[Parts]:
        yield from layer_layouts(
            parts, stack.layer, ("self", "cross"), ("norm1", "norm2", "norm3"), on
        )

    return ModuleSubject(
        "TransformerDecoderLayer",
        (config(stack),),
        partial(stacks.decoder_layer, eps=FREE_EPS),
        partial(cross_probes, stack.layer.hidden),
        layouts,
        partial(single_pair, stack.layer.hidden),
    )
