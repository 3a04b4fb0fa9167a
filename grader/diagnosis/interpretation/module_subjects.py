"""The module exercises with all that they are judged against."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from .module_subject import ModuleSubject
from .saturated_scores import STACKS
from .sizes import OTHER_STACK, STACK
from .stack_layouts import StackSizes
from .subjects_attention import (
    additive,
    attention_head,
    cross_attention,
    multi_head,
)
from .subjects_layers import decoder_layer, encoder_layer, feed_forward, layer_norm
from .subjects_stacks import bert, classifier, embeddings, encoder, pooler

_SIZED = {
    "MultiHeadAttention": multi_head,
    "CrossAttention": cross_attention,
    "FeedForward": feed_forward,
    "Embeddings": embeddings,
    "TransformerEncoderLayer": lambda stack: encoder_layer("TransformerEncoderLayer", False, stack),
    "PostNormEncoderLayer": lambda stack: encoder_layer("PostNormEncoderLayer", True, stack),
    "TransformerEncoder": encoder,
    "TransformerForSequenceClassification": classifier,
    "BertEncoder": bert,
    "Pooler": pooler,
    "TransformerDecoderLayer": decoder_layer,
}


_WITHOUT_HEADS = {"FeedForward", "Embeddings", "Pooler"}


_FIXED = {"AttentionHead": attention_head, "LayerNorm": layer_norm, "AdditiveScores": additive}


def module_subject(exercise: str, other: bool = False) -> ModuleSubject | None:
    """The subject of a module exercise, at the usual sizes or at others; None if there is none."""
    if exercise in _FIXED and other:
        return None
    return _subject(exercise, OTHER_STACK if other else STACK)


def simpler_subject(exercise: str, simpler: str) -> ModuleSubject | None:
    """The same with one of its `layers` or `heads` alone; None where it has none of these."""
    if simpler == "layers" and exercise in STACKS:
        return _subject(exercise, replace(STACK, layers=1))
    if simpler == "heads" and exercise in _SIZED and exercise not in _WITHOUT_HEADS:
        layer = replace(STACK.layer, heads=1, width=STACK.layer.hidden)
        return _subject(exercise, replace(STACK, layer=layer))
    return None


@cache
def _subject(exercise: str, stack: StackSizes) -> ModuleSubject | None:
    if exercise in _SIZED:
        return _SIZED[exercise](stack)
    return _FIXED[exercise]() if exercise in _FIXED else None
