"""What feed-forward, norm and layer exercises are judged against; knows no candidate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import torch
from torch import Generator

from ..misconceptions.function_subject import Probe
from . import layers, stacks
from .gradient_invariants import Invariants
from .layer_layouts import feed_forward_layouts, layer_layouts
from .layouts import Parts
from .module_subject import ModuleSubject, Switches
from .pair_layouts import norm_pairs, partners_of
from .parameters import Param
from .probes import cross_probes, plain_probes, sequence_probes, single, single_pair
from .sizes import BATCH, FREE_EPS, LENGTH, config
from .stack_layouts import StackSizes

NORM_EPS = 0.1


def feed_forward(stack: StackSizes) -> ModuleSubject:
    hidden = stack.layer.hidden

    def layouts(
        params: Sequence[Param], invariants: Invariants | None, on: Switches
    ) -> Iterator[Parts]:
        matrices = [p for p in params if len(p.shape) > 1]
        partners = partners_of(matrices, [p for p in params if len(p.shape) == 1])
        inner = 4 * hidden if "inner_four_times" in on else stack.layer.intermediate
        bias = "feed_forward_without_bias" not in on
        vectors = [p for p in params if len(p.shape) == 1]
        yield from feed_forward_layouts(matrices, partners, hidden, inner, bias, vectors)

    probes = partial(plain_probes, hidden)
    return ModuleSubject(
        "FeedForward", (config(stack),), layers.feed_forward, probes, layouts, tolerance=1e-5
    )


def layer_norm() -> ModuleSubject:
    def layouts(
        params: Sequence[Param], invariants: Invariants | None, on: Switches
    ) -> Iterator[Parts]:
        if "norm_without_parameters" in on:
            yield {}
            return
        vectors = [p for p in params if len(p.shape) == 1]
        for pair in norm_pairs(vectors):
            if "b" in pair:
                yield pair
                yield {"w": pair["b"], "b": pair["w"]}
            elif "norm_without_shift" in on:
                yield pair

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
    def layouts(
        params: Sequence[Param], invariants: Invariants | None, on: Switches
    ) -> Iterator[Parts]:
        yield from layer_layouts(params, stack.layer, invariants, on=on)

    return ModuleSubject(
        exercise,
        (config(stack),),
        partial(layers.encoder_layer, eps=FREE_EPS, post=post),
        partial(sequence_probes, stack.layer.hidden),
        layouts,
        partial(single, stack.layer.hidden),
    )


def decoder_layer(stack: StackSizes) -> ModuleSubject:
    def layouts(
        params: Sequence[Param], invariants: Invariants | None, on: Switches
    ) -> Iterator[Parts]:
        yield from layer_layouts(
            params, stack.layer, invariants, ("self", "cross"), ("norm1", "norm2", "norm3"), on
        )

    return ModuleSubject(
        "TransformerDecoderLayer",
        (config(stack),),
        partial(stacks.decoder_layer, eps=FREE_EPS),
        partial(cross_probes, stack.layer.hidden),
        layouts,
        partial(single_pair, stack.layer.hidden),
    )
