"""Wrong turns in encoder and decoder layers; texts without answers."""

from __future__ import annotations

from .wrong_turn import wrong_turn

_ONCE_MORE = wrong_turn(
    "norm_once_more",
    "A LayerNorm is applied once more at the end of the layer.",
    "In this kind of layer, is anything normalised after the last addition?",
)
LAYER = (
    wrong_turn(
        "other_norm_order",
        "The norms stand behind the sums (post-norm); this exercise asks for pre-norm. Both exist; "
        "they are different functions.",
        "With both sublayers giving zero, does your layer return x, or a normalised x? Which "
        "does the exercise ask for?",
    ),
    wrong_turn(
        "first_norm_twice",
        "One and the same LayerNorm is used in both places; the other, if there is one, has "
        "no effect.",
        "How many norm parameters should have a gradient after a backward pass?",
    ),
    wrong_turn(
        "no_first_norm",
        "The first LayerNorm, the attention's, is not applied.",
        "What does each sublayer get to see: x itself, or a normalised x?",
    ),
    wrong_turn(
        "no_second_norm",
        "The second LayerNorm, the feed-forward network's, is not applied.",
        "What does each sublayer get to see: x itself, or a normalised x?",
    ),
    wrong_turn(
        "no_norms",
        "Neither LayerNorm is applied.",
        "Which of your parameters have no gradient after a backward pass?",
    ),
    wrong_turn(
        "first_residual_from_normed",
        "The first residual connection starts from the normalised input, not from x itself: the "
        "direct path through the layer is broken.",
        "With both sublayers giving zero, what should a pre-norm layer return?",
    ),
    wrong_turn(
        "second_residual_from_normed",
        "The second residual connection starts from the normalised vector, not from the sum "
        "itself.",
        "With the feed-forward network giving zero, what should come out of the second half?",
    ),
    wrong_turn(
        "second_residual_from_start",
        "The second residual adds the layer's original input again; what the attention added "
        "is lost.",
        "With the feed-forward network giving zero, should the attention's result still be in"
        " the output?",
    ),
    wrong_turn(
        "no_first_residual",
        "There is no residual connection around the attention.",
        "With the attention giving zero, what should be left after the first half?",
    ),
    wrong_turn(
        "no_second_residual",
        "There is no residual connection around the feed-forward network.",
        "With the feed-forward network giving zero, what should come out?",
    ),
    wrong_turn(
        "norm_after_sublayers",
        "Each norm is applied to what its sublayer returns, x + norm(f(x)), not to what goes in.",
        "In the picture of the layer, on which side of the sublayer does its norm stand?",
    ),
    wrong_turn(
        "norm_before_first_residual",
        "The first norm is applied to what the attention returns, before the addition.",
        "In the picture of the layer, does the norm come before the addition or after it?",
    ),
    wrong_turn(
        "norm_before_second_residual",
        "The second norm is applied to what the feed-forward network returns, before the addition.",
        "In the picture of the layer, does the norm come before the addition or after it?",
    ),
    _ONCE_MORE,
    wrong_turn(
        "parallel",
        "Attention and feed-forward network both work on the same input, side by side.",
        "Should the feed-forward network see what the attention has added?",
    ),
    wrong_turn(
        "feed_forward_before_attention",
        "The feed-forward network comes before the attention.",
        "Which of the two sublayers comes first in the picture?",
    ),
    wrong_turn(
        "no_feed_forward",
        "The feed-forward network is not applied.",
        "Which of your parameters have no gradient after a backward pass?",
    ),
    wrong_turn(
        "norm_on_residual",
        "Each norm is applied to what is added to, norm(x) + f(x): the sublayers see x as it is, "
        "and the direct path through the layer is broken.",
        "With both sublayers giving zero, what should a pre-norm layer return?",
    ),
    wrong_turn(
        "queries_alone_normed",
        "The attention's queries see the normalised vectors, its keys and values the hidden state "
        "as it came in.",
        "In self-attention, what should queries, keys and values all be made from?",
    ),
)

_POST_NORM = (
    wrong_turn(
        "other_norm_order",
        "The norms stand in front of the sublayers (pre-norm); this exercise asks for post-norm. "
        "Both exist; they are different functions.",
        LAYER[0].question,
    ),
    wrong_turn(
        "norm_once_more",
        _ONCE_MORE.explanation,
        "How often is the sum behind the feed-forward network normalised?",
    ),
)
_OWN = {turn.id: turn for turn in _POST_NORM}
POST_NORM_LAYER = tuple(_OWN.get(turn.id, turn) for turn in LAYER)

DECODER = (
    wrong_turn(
        "not_causal",
        "The self-attention sees the future: there is no causal mask.",
        "When the third word is written, is the fourth known?",
    ),
    wrong_turn(
        "causal_one_ahead",
        "Each position sees the one after it too: the causal mask begins to hide one too late.",
        "When the third word is written, is the fourth known?",
    ),
    wrong_turn(
        "causal_reversed",
        "The causal mask is turned round: each position sees the future, not the past.",
        "When the third word is written, which words are known?",
    ),
    wrong_turn(
        "causal_without_self",
        "The causal mask hides each position from itself too.",
        "May a position look at itself?",
    ),
    wrong_turn(
        "memory_mask_ignored",
        "The memory's mask makes no difference: padding of the source is attended to.",
        "Follow memory_mask from the argument to the softmax: where does it get lost?",
    ),
    wrong_turn(
        "memory_mask_inverted",
        "The memory's mask is inverted.",
        "Does 1 mean 'may attend' or 'hide'?",
    ),
    wrong_turn(
        "no_memory",
        "The cross-attention attends to the hidden state itself: the memory has no effect.",
        "If the source sentence changes, should the output change?",
    ),
    wrong_turn(
        "cross_before_self",
        "The cross-attention comes before the self-attention.",
        "In which order do the three parts come?",
    ),
    wrong_turn(
        "no_cross_attention",
        "The cross-attention is not applied: the memory has no effect.",
        "If the source sentence changes, should the output change?",
    ),
    wrong_turn(
        "no_self_attention",
        "The self-attention is not applied.",
        "Which of your parameters have no gradient after a backward pass?",
    ),
    _ONCE_MORE,
    wrong_turn(
        "memory_normed",
        "The memory is normalised too, with the hidden state's norm.",
        "Which of the two sequences does the norm in front of the cross-attention belong to?",
    ),
    wrong_turn(
        "other_norm_order",
        "The norms stand after the additions (post-norm); this layer is pre-norm.",
        "With all three parts giving zero, should the layer return x, or a normalised x?",
    ),
    wrong_turn(
        "residuals_from_normed",
        "The residual connections start from the normalised vectors, not from the hidden "
        "state itself.",
        "With all three parts giving zero, what should the layer return?",
    ),
    wrong_turn(
        "no_norms", "No LayerNorm is applied.", "Which of your parameters have no gradient?"
    ),
    wrong_turn(
        "second_residual_from_start",
        "The cross-attention's residual connection starts where the layer did: what the "
        "self-attention added is lost, save through the cross-attention.",
        "With the cross-attention giving zero, should the self-attention's result still be in the "
        "output?",
    ),
    wrong_turn(
        "third_residual_from_second",
        "The last residual connection starts where the cross-attention's did: what the "
        "cross-attention added is lost, save through the feed-forward network.",
        "With the feed-forward network giving zero, should the cross-attention's result still be "
        "in the output?",
    ),
    wrong_turn(
        "no_norm_1",
        "The self-attention gets the hidden state without a LayerNorm in front.",
        "Of the three parts, which read normalised vectors?",
    ),
    wrong_turn(
        "no_norm_2",
        "The cross-attention's queries come from vectors without a LayerNorm in front.",
        "Of the three parts, which read normalised vectors?",
    ),
    wrong_turn(
        "no_norm_3",
        "The feed-forward network gets its vectors without a LayerNorm in front.",
        "Of the three parts, which read normalised vectors?",
    ),
    wrong_turn(
        "no_residual_1",
        "There is no residual connection around the self-attention.",
        "With the self-attention giving zero, what should be left?",
    ),
    wrong_turn(
        "no_residual_2",
        "There is no residual connection around the cross-attention.",
        "With the cross-attention giving zero, what should be left?",
    ),
    wrong_turn(
        "no_residual_3",
        "There is no residual connection around the feed-forward network.",
        "With the feed-forward network giving zero, what should be left?",
    ),
)

CROSS = (
    wrong_turn(
        "cross_swapped",
        "The roles are exchanged: queries come from the memory, keys and values from the "
        "hidden state, so the output is as long as the memory.",
        "Who asks, and who answers? How long should the output be?",
    ),
    wrong_turn(
        "cross_self",
        "Keys and values come from the hidden state too: the memory has no effect.",
        "If the memory changes, should the output change?",
    ),
    wrong_turn(
        "cross_queries_from_memory",
        "Queries, keys and values all come from the memory: the hidden state has no effect.",
        "If the hidden state changes, should the output change?",
    ),
    wrong_turn(
        "cross_keys_from_hidden",
        "The keys come from the hidden state, only the values from the memory.",
        "Which two projections read the memory?",
    ),
    wrong_turn(
        "cross_values_from_hidden",
        "The values come from the hidden state, only the keys from the memory.",
        "Which two projections read the memory?",
    ),
)
