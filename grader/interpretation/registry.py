"""The module exercises with all that they are judged against."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from ..misconceptions.modules_code import CODE
from .sizes import OTHER_STACK, STACK
from .stack_layouts import StackSizes
from .subject import ModuleSubject
from .subjects_attention import HEAD_INPUT, additive, attention_head, cross_attention, multi_head
from .subjects_layers import decoder_layer, encoder_layer, feed_forward, layer_norm
from .subjects_stacks import bert, classifier, embeddings, encoder, pooler
from .views import either_end

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


_WITH_MAPS = {  # those without tables, whose rows would be taken for a weight's and a bias'
    *("AttentionHead", "MultiHeadAttention", "CrossAttention", "FeedForward", "Pooler"),
    *("TransformerEncoderLayer", "PostNormEncoderLayer", "TransformerDecoderLayer"),
}


_FIXED = {"AttentionHead": attention_head, "LayerNorm": layer_norm, "AdditiveScores": additive}


def _inputs(stack: StackSizes, exercise: str) -> tuple[int, ...]:
    """How many inputs the linear maps of an exercise have."""
    if exercise == "AttentionHead":
        return (HEAD_INPUT,)
    return (stack.layer.hidden, stack.layer.intermediate)


@cache
def module_subject(exercise: str, other: bool = False) -> ModuleSubject | None:
    """The subject of a module exercise, at the usual sizes or at others; None if there is none."""
    if exercise in _SIZED:
        found = _SIZED[exercise](OTHER_STACK if other else STACK)
    elif exercise in _FIXED and not other:
        found = _FIXED[exercise]()
    else:
        return None
    if exercise in _WITH_MAPS:
        inputs = _inputs(OTHER_STACK if other else STACK, exercise)
        found = replace(found, layouts=either_end(found.layouts, inputs))
    unique = {turn.id: turn for turn in reversed((*found.misconceptions, *CODE))}
    ordered = [unique[name] for name in dict.fromkeys(t.id for t in (*found.misconceptions, *CODE))]
    return replace(found, misconceptions=tuple(ordered))
