"""Wrong turns in embeddings and additive scores; texts without answers."""

from __future__ import annotations

from .wrong_turn import wrong_turn

EMBEDDINGS = (
    wrong_turn(
        "positions_over_batch",
        "Positions run over the batch axis: every token of a sentence gets its sentence's "
        "number as position.",
        "Which of the two sizes of input_ids says how many positions there are?",
    ),
    wrong_turn(
        "default_type_one",
        "Without token_type_ids, the token types default to 1 instead of 0.",
        "Which segment does a single sentence belong to?",
    ),
    wrong_turn(
        "default_type_left_out",
        "Without token_type_ids, no token type is added at all; BERT adds that of segment 0.",
        "Which segment does a single sentence belong to, and has that segment a vector?",
    ),
    wrong_turn(
        "token_types_ignored",
        "The token_type_ids that are given make no difference.",
        "Do two sentences with different token types get different vectors?",
    ),
    wrong_turn(
        "token_types_swapped",
        "The two token types are exchanged.",
        "Which row of the table belongs to type 0?",
    ),
    wrong_turn(
        "no_token_types",
        "No token-type embedding is in the sum: the type of a token makes no difference.",
        "Which three vectors does BERT add for each token?",
    ),
    wrong_turn(
        "no_positions",
        "No position is added: a shuffled sentence gives shuffled but otherwise equal vectors.",
        "How could the model tell 'dog bites man' from 'man bites dog'?",
    ),
    wrong_turn(
        "positions_from_one",
        "Positions start at 1: every token gets the position vector of the next one, and the "
        "longest input no longer fits.",
        "Which row of the position table belongs to the first token?",
    ),
    wrong_turn(
        "positions_all_first",
        "Every token gets position 0.",
        "What are the position ids of a sentence of four tokens?",
    ),
    wrong_turn(
        "positions_reversed",
        "Positions count from the end.",
        "Which row of the position table belongs to the first token?",
    ),
    wrong_turn(
        "positions_by_token",
        "Positions are looked up with the token ids.",
        "What does the position of a token depend on: what it is, or where it stands?",
    ),
    wrong_turn(
        "no_embedding_norm",
        "The sum is not normalised: there is no LayerNorm at the end.",
        "What mean and spread should each token's vector have in a fresh module?",
    ),
    wrong_turn(
        "normed_before_sum",
        "Each embedding is normalised by itself before the sum, not the sum.",
        "How many times does the LayerNorm run for one token?",
    ),
    wrong_turn(
        "only_token_normed",
        "Only the token embedding is normalised; position and type are added afterwards.",
        "What mean and spread should each token's vector have in a fresh module?",
    ),
    wrong_turn(
        "token_scaled_by_root",
        "Token embeddings are multiplied by √d_model, as in the original transformer; BERT "
        "does not do it.",
        "Which of the two papers does this module follow?",
    ),
    wrong_turn(
        "sinusoidal_positions",
        "Sinusoids are added; BERT's positions are learned.",
        "Which of the two papers does this module follow?",
    ),
    wrong_turn(
        "embeddings_multiplied",
        "The embeddings are multiplied, not added.",
        "What happens to a token whose type vector is zero?",
    ),
    wrong_turn(
        "position_table_whole",
        "The whole position table (or the whole position_ids buffer) is added, however long "
        "the input is, so only inputs of full length fit.",
        "How many of the table's rows does a sentence of four tokens need?",
        error=r"tensor [ab] \(13\).* at non-singleton dimension [01]$|\[1, 13|13, 35",
    ),
    wrong_turn(
        "position_out_of_range",
        "A position, type or token id beyond the table's last row is looked up.",
        "How many rows does each table have, and which ids do you look up in it?",
        error=r"index out of range in self|out of bounds for dimension 0 with size (29|13|2)\b",
    ),
)

ADDITIVE = (
    wrong_turn(
        "no_tanh",
        "There is no tanh: the score is linear, so the query's part is the same for all keys "
        "and cancels in the softmax.",
        "If all keys get the same extra score from a query, what does the softmax make of it?",
    ),
    wrong_turn(
        "tanh_of_each",
        "The tanh is taken of query and key separately, before they are added: they never "
        "interact.",
        "What goes through the tanh: each part, or their sum?",
    ),
    wrong_turn(
        "tanh_last",
        "A tanh squashes the final score.",
        "Which comes first: tanh, or the product with v?",
    ),
    wrong_turn(
        "relu_for_tanh",
        "A ReLU stands where the tanh should.",
        "Which values can the hidden features take?",
    ),
    wrong_turn(
        "sigmoid_for_tanh",
        "A sigmoid stands where the tanh should.",
        "Which values can the hidden features take?",
    ),
    wrong_turn(
        "gelu_for_tanh",
        "A GELU stands where the tanh should.",
        "Which values can the hidden features take?",
    ),
    wrong_turn(
        "no_v",
        "The hidden features are summed up without v: all count the same.",
        "Which of your parameters have no gradient after a backward pass?",
    ),
    wrong_turn(
        "product",
        "Query and key features are multiplied, not added.",
        "Why is this attention called additive?",
    ),
    wrong_turn(
        "difference",
        "The key's features are subtracted from the query's.",
        "Why is this attention called additive?",
    ),
    wrong_turn(
        "scaled_by_hidden_root",
        "The scores are divided by the root of hidden_dim: nothing is scaled in additive "
        "attention.",
        "Which formula does the root belong to, and why is it not needed here?",
    ),
    wrong_turn(
        "scaled_by_key_root",
        "The scores are divided by the root of the key width: nothing is scaled in additive "
        "attention.",
        "Which formula does the root belong to, and why is it not needed here?",
    ),
    wrong_turn(
        "scaled_by_query_root",
        "The scores are divided by the root of the query width: nothing is scaled in additive"
        " attention.",
        "Which formula does the root belong to, and why is it not needed here?",
    ),
    wrong_turn(
        "softmax_applied",
        "A softmax is applied: these are weights, not scores.",
        "Which step comes after the scores, and in which chapter?",
    ),
    wrong_turn(
        "result_transposed",
        "The result is transposed: [batch, key, query].",
        "In scores[b, i, j], which index is the query?",
    ),
)
