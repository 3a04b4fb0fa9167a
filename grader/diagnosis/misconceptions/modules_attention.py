"""Wrong turns in attention: scale, mask, projections; texts without answers."""

from __future__ import annotations

from .modules_attention_heads import HEADS
from .wrong_turn import wrong_turn

_WEIGHTS = (
    wrong_turn(
        "no_scale",
        "The scores are not scaled: they are plain dot products. Their spread grows with the "
        "width of a head, so the softmax saturates and gradients fade.",
        "What is the variance of a sum of d products of independent standard normal numbers?",
    ),
    wrong_turn(
        "scaled_by_model_root",
        "The scores are scaled by the root of the whole embedding or hidden size (√d_model) "
        "instead of the root of the width of one head, which makes the attention softer than "
        "it should be.",
        "How many products does one score sum up, and which width is that?",
    ),
    wrong_turn(
        "scaled_by_width",
        "The scores are divided by the full width d of a head (or twice by its root, once in "
        "the queries and once in the keys): the weights come out too uniform.",
        "By which factor does the spread of a sum of d independent terms grow: d, or "
        "something smaller?",
    ),
    wrong_turn(
        "mask_ignored",
        "The mask makes no difference: it is not used, or not passed on to where the scores "
        "are. Hidden tokens are attended to like all the others.",
        "Follow the mask from the argument down to the softmax: where does it get lost?",
    ),
    wrong_turn(
        "mask_inverted",
        "The mask is inverted: exactly the tokens that may be attended to are hidden, and the"
        " others are attended to. (PyTorch's own layers and BERT use opposite conventions.)",
        "In this course, does 1 mean 'may attend' or 'hide'? And in the function that you call?",
    ),
    wrong_turn(
        "softmax_queries",
        "The softmax runs over the query axis: the weights that one key receives sum to 1, not the "
        "weights that one query gives.",
        "Which axis of the scores belongs to the keys, and whose weights have to share a "
        "quota of 1?",
    ),
    wrong_turn(
        "mask_after_softmax",
        "The mask is applied after the softmax, without renormalising: hidden tokens took "
        "their share of the quota first, so the weights that remain sum to less than 1.",
        "What do the rows of your weights sum to when a token is hidden?",
    ),
    wrong_turn(
        "mask_fills_zero",
        "Hidden scores are set to 0 before the softmax (or multiplied by the mask). exp(0) is"
        " 1, so hidden tokens still receive weight.",
        "Which score does the softmax turn into exactly 0?",
    ),
    wrong_turn(
        "mask_added",
        "The 0/1 mask itself is added to the scores: visible tokens gain a factor e, and "
        "hidden ones are still there.",
        "What does adding 1 to a score do to its weight, and what would make a weight vanish?",
    ),
    wrong_turn(
        "mask_fills_minus_ten",
        "Hidden scores are filled with a small finite number such as −10: a little weight "
        "still leaks.",
        "How large is exp of your fill beside exp of an ordinary score?",
    ),
    wrong_turn(
        "mask_fills_minus_one",
        "Hidden scores are filled with −1, an ordinary score: hidden tokens are still attended to.",
        "How large is exp of your fill beside exp of an ordinary score?",
    ),
    wrong_turn(
        "mask_fills_tiny",
        "Hidden scores are filled with a tiny positive number (1e-9), which is a score like "
        "0, not a very low one: hidden tokens are still attended to.",
        "Is 1e-9 very small, or very negative? Which of the two does the softmax need?",
    ),
    wrong_turn(
        "mask_queries",
        "The mask hides query rows instead of key columns: padding is still attended to, "
        "while padded queries see nothing.",
        "Which axis of the scores says who is looked at?",
    ),
    wrong_turn(
        "mask_of_first_row",
        "The mask of the first sentence is used for the whole batch.",
        "What if the second sentence is longer than the first?",
    ),
    wrong_turn(
        "mask_of_first_query",
        "Only the first query's row of the mask is used, for every query.",
        "With a causal mask, should all queries see the same keys?",
    ),
    wrong_turn(
        "always_causal",
        "The future is hidden although nobody asked for it: each token sees only itself and "
        "what came before. An encoder looks both ways.",
        "Which mask applies when the argument is None?",
    ),
    wrong_turn(
        "keys_from_query_projection",
        "Queries and keys are made with one projection (or one of the two is compared with "
        "itself): a token fits another as well as the other fits it, and the second projection, "
        "where there is one, has no effect.",
        "Which projection has no gradient after a backward pass?",
    ),
    wrong_turn(
        "queries_from_key_projection",
        "Queries and keys are made with one projection (or one of the two is compared with "
        "itself): a token fits another as well as the other fits it, and the second projection, "
        "where there is one, has no effect.",
        "Which projection has no gradient after a backward pass?",
    ),
    wrong_turn(
        "values_from_key_projection",
        "Keys and values are made with one projection: what is found and what is handed over"
        " are the same.",
        "Which projection has no gradient after a backward pass?",
    ),
    wrong_turn(
        "values_from_query_projection",
        "Queries and values are made with one projection.",
        "Which projection has no gradient after a backward pass?",
    ),
    wrong_turn(
        "one_projection",
        "One and the same projection makes queries, keys and values, so a token mostly "
        "attends to itself.",
        "How many different questions can a token ask if asking and answering use the same map?",
    ),
    wrong_turn(
        "v_not_projected",
        "The values are not projected: the hidden state itself is averaged.",
        "If you double the value projection's weight, does the output change?",
    ),
    wrong_turn(
        "q_not_projected",
        "The queries are not projected: the hidden state itself asks.",
        "If you double the query projection's weight, does the output change?",
    ),
    wrong_turn(
        "k_not_projected",
        "The keys are not projected: the hidden state itself answers.",
        "If you double the key projection's weight, does the output change?",
    ),
    wrong_turn(
        "no_output_projection",
        "The output projection is missing or not applied: the heads' results are only put "
        "side by side.",
        "After the heads are concatenated, what lets them exchange what they found?",
    ),
    wrong_turn(
        "split_without_transpose",
        "The heads are split by a bare view or reshape to [batch, heads, seq, head_dim] with "
        "no transpose: a head then holds pieces of different tokens.",
        "Which axes lie beside each other in memory before the split? Try it on x = arange.",
    ),
    wrong_turn(
        "merge_without_transpose",
        "The heads are merged by a bare view or reshape, without moving the head axis back "
        "first: tokens get mixed.",
        "What should stand beside feature 0 of head 0 of a token, in memory?",
    ),
    wrong_turn(
        "both_views_wrong",
        "Heads are split and merged by bare views without a transpose. The round trip gives x"
        " back, which hides it, yet each head attends over mixed pieces of tokens.",
        "Which tokens does one head see between the split and the merge?",
    ),
    wrong_turn(
        "merge_features_first",
        "The heads are merged with the axes in the wrong order, features before tokens: each row "
        "of the result mixes numbers of many tokens.",
        "Which two axes are joined into one, and in which order must they stand just before that?",
    ),
    wrong_turn(
        "heads_mixed_in_scores",
        "The head axis is summed away before the softmax, so all heads share one set of weights.",
        "How many attention maps should H heads give? Which letters does your einsum keep?",
    ),
)

ATTENTION = (*_WEIGHTS, *HEADS)  # likely ones first
