"""Wrong turns in attention: heads, softmax, rarer scales; texts without answers."""

from __future__ import annotations

from .wrong_turn import wrong_turn

HEADS = (
    wrong_turn(
        "softmax_heads",
        "The softmax runs over the heads: they compete with each other instead of the keys.",
        "In a 4-D tensor of scores, which axis belongs to the keys?",
    ),
    wrong_turn(
        "softmax_batch",
        "The softmax runs over the batch: sentences compete with each other.",
        "Which axis belongs to the keys?",
    ),
    wrong_turn(
        "no_softmax",
        "There is no softmax: raw scores are used as weights, so they may be negative and sum"
        " to anything.",
        "What should the weights of one query sum to?",
    ),
    wrong_turn(
        "softmax_twice",
        "The softmax is applied twice, which flattens the weights almost to uniform.",
        "What range do the numbers have that go into your second softmax?",
    ),
    wrong_turn(
        "sigmoid_weights",
        "A sigmoid stands where the softmax should: keys do not compete for a shared quota.",
        "What should the weights of one query sum to?",
    ),
    wrong_turn(
        "log_softmax",
        "The weights are log-probabilities: all of them negative.",
        "Can a weighted average have only negative weights?",
    ),
    wrong_turn(
        "scale_multiplied",
        "The scores are multiplied by √d instead of being tamed by it: the softmax becomes "
        "almost one-hot.",
        "Should the factor make the spread of the scores larger or smaller?",
    ),
    wrong_turn(
        "scaled_by_length_root",
        "The scores are scaled by the root of the sequence length; the same pair of tokens "
        "then gets another score in a longer sentence.",
        "Over which axis does a dot product sum?",
    ),
    wrong_turn(
        "scaled_by_length",
        "The scores are divided by the sequence length.",
        "Over which axis does a dot product sum?",
    ),
    wrong_turn(
        "scaled_by_heads_root",
        "The scores are scaled by the root of the number of heads.",
        "How many products does one score sum up?",
    ),
    wrong_turn(
        "scaled_by_model",
        "The scores are divided by the whole hidden size.",
        "How many products does one score of one head sum up, and how does their spread grow?",
    ),
    wrong_turn(
        "scaled_by_fourth_root",
        "The scores are divided by only the fourth root of d: one of queries and keys was "
        "scaled, or each by too little.",
        "If the root is shared between queries and keys, how much does each get, and did both"
        " get it?",
    ),
    wrong_turn(
        "scaled_by_eight",
        "The scores are divided by a fixed 8, BERT-base's √64, whatever the width of a head is.",
        "Where could the code learn the width of a head from?",
    ),
    wrong_turn(
        "scaled_after_softmax",
        "The scale is applied after the softmax, so the weights no longer sum to 1.",
        "What is the scale there to tame: the scores, or the weights?",
    ),
    wrong_turn(
        "weights_transposed",
        "The weights are transposed before they meet the values: token i gets the values weighted "
        "by what the others give to it, not by what it gives to them.",
        "Whose weights should average the values for query i: row i or column i?",
    ),
    wrong_turn(
        "scores_transposed",
        "The score matrix is transposed: queries and keys have changed places.",
        "In scores[i, j], which index is the query?",
    ),
    wrong_turn(
        "keys_as_values",
        "The weights average the keys, not the values.",
        "If you double the value projection's weight, does the output change?",
    ),
    wrong_turn(
        "queries_as_values",
        "The weights average the queries, not the values.",
        "If you double the value projection's weight, does the output change?",
    ),
    wrong_turn(
        "queries_with_queries",
        "The scores compare queries with queries: the keys play no part.",
        "Which two projections meet in a score?",
    ),
    wrong_turn(
        "keys_with_keys",
        "The scores compare keys with keys: the queries play no part.",
        "Which two projections meet in a score?",
    ),
    wrong_turn(
        "heads_summed",
        "The heads' results are added up instead of being put side by side.",
        "After the sum, can the output projection still tell one head from another?",
    ),
    wrong_turn(
        "heads_reversed",
        "The heads' results are joined in reverse order: the output projection takes the last head "
        "for the first. Harmless in training, fatal with loaded weights.",
        "Which features of the joined vector should head 0 have filled?",
    ),
    wrong_turn(
        "heads_averaged",
        "The heads' results are averaged instead of concatenated: swapping two heads changes "
        "nothing.",
        "After averaging, can the output projection still tell one head from another?",
    ),
    wrong_turn(
        "heads_shared",
        "All heads are the same object ([head] * n): they share one set of weights, so every head "
        "finds the same.",
        "Are the objects in your list different ones? How many parameters should n heads have?",
    ),
    wrong_turn(
        "one_key_value_head",
        "One head's keys and values serve all heads (multi-query attention): only the queries "
        "differ from head to head.",
        "How many features should each projection give, and how many heads do they make?",
    ),
    wrong_turn(
        "one_head",
        "There is one head of full width in place of several narrow ones: one softmax for "
        "everything.",
        "How many attention maps should there be, and how wide is each head?",
    ),
    wrong_turn(
        "residual_inside",
        "The attention adds its input to its output: that residual belongs to the layer "
        "around it, where it will be added a second time.",
        "With all weights zero, what should attention alone give?",
    ),
    wrong_turn(
        "relu_scores",
        "Negative scores are cut off at 0, so 'points the other way' counts as much as "
        "'unrelated'.",
        "May a query and a key be less alike than two random vectors?",
    ),
    wrong_turn(
        "absolute_scores",
        "The scores' signs are dropped: opposite vectors count as alike.",
        "What does a negative dot product say?",
    ),
    wrong_turn(
        "cosine",
        "The scores are cosines: lengths no longer count.",
        "If a query doubles, should its scores stay the same?",
    ),
    wrong_turn(
        "bias_dropped",
        "The projections own biases that are never added.",
        "Which of your parameters has no gradient?",
    ),
    wrong_turn(
        "output_projected_twice",
        "The output projection is applied twice.",
        "How often does the concatenated result pass the last linear map?",
    ),
    wrong_turn(
        "activation_on_output",
        "A ReLU follows the output projection: no output is ever negative.",
        "Is there any non-linearity after the output projection in the formula?",
    ),
    wrong_turn(
        "relu_on_projections",
        "A ReLU cuts queries, keys and values.",
        "Is there any non-linearity in the projections in the formula?",
    ),
)
