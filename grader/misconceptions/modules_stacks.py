"""Wrong turns in layers, stacks, embeddings, heads, the decoder layer and additive scores; texts, no answers."""

from __future__ import annotations

from .modules_common import wrong_turn

LAYER = (
    wrong_turn(
        "other_norm_order",
        "The norms stand in the other place: post-norm where this exercise asks for pre-norm, or the "
        "reverse. Both exist; they are different functions.",
        "With both sublayers giving zero, does your layer return x, or a normalised x? Which does the "
        "exercise ask for?",
    ),
    wrong_turn(
        "first_norm_twice",
        "The first LayerNorm is used in both places; the second, if there is one, has no effect.",
        "How many norm parameters should have a gradient after a backward pass?",
    ),
    wrong_turn(
        "second_norm_twice",
        "The second LayerNorm is used in both places; the first has no effect.",
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
        "The second residual connection starts from the normalised vector, not from the sum itself.",
        "With the feed-forward network giving zero, what should come out of the second half?",
    ),
    wrong_turn(
        "second_residual_from_start",
        "The second residual adds the layer's original input again; what the attention added is lost.",
        "With the feed-forward network giving zero, should the attention's result still be in the output?",
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
    wrong_turn(
        "norm_once_more",
        "A LayerNorm is applied once more at the end of the layer.",
        "In this kind of layer, is anything normalised after the last addition?",
    ),
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
)

EMBEDDINGS = (
    wrong_turn(
        "positions_over_batch",
        "Positions run over the batch axis: every token of a sentence gets its sentence's number as position.",
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
        "The token-type embedding is left out of the sum.",
        "Which three vectors does BERT add for each token?",
    ),
    wrong_turn(
        "no_positions",
        "No position is added: a shuffled sentence gives shuffled but otherwise equal vectors.",
        "How could the model tell 'dog bites man' from 'man bites dog'?",
    ),
    wrong_turn(
        "positions_from_one",
        "Positions start at 1: every vector is shifted by one row, and the longest input no longer fits.",
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
        "Token embeddings are multiplied by √d_model, as in the original transformer; BERT does not do it.",
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
        "The whole position table (or the whole position_ids buffer) is added, however long the input is, so only inputs "
        "of full length fit.",
        "How many of the table's rows does a sentence of four tokens need?",
        error=r"(tensor a|tensor b) \(13\)|\[1, 13|13, 35",
    ),
    wrong_turn(
        "position_out_of_range",
        "A position, type or token id beyond the table's last row is looked up.",
        "How many rows does each table have, and which ids do you look up in it?",
        error=r"index out of range in self|out of bounds",
    ),
)

ENCODER = (
    wrong_turn(
        "layers_shared",
        "All layers share one set of weights: the same layer object is used again and again ([layer] * n).",
        "Are the objects in your list different ones? How many parameters should n layers have?",
    ),
    wrong_turn(
        "one_layer_less",
        "There is one layer too few.",
        "How many numbers does your range give?",
    ),
    wrong_turn(
        "one_layer_more",
        "There is one layer too many.",
        "How many numbers does your range give?",
    ),
    wrong_turn(
        "first_layer_only",
        "Only the first layer takes part: the loop ends, or returns, after one round.",
        "How deep is return indented?",
    ),
    wrong_turn(
        "every_layer_from_embeddings",
        "Each layer gets the embeddings, not the output of the layer before: all but the last layer are lost.",
        "What does layer 2 read: the embeddings, or what layer 1 returned?",
    ),
    wrong_turn(
        "mask_not_passed",
        "The attention mask is not passed on to the layers: padding changes the result for the real tokens.",
        "If you add padding to a sentence, should its vectors change?",
    ),
    wrong_turn(
        "mask_only_in_first_layer",
        "Only the first layer gets the mask; deeper layers attend to padding.",
        "Which layers attend, and which of them need to know the padding?",
    ),
    wrong_turn(
        "attention_mask_inverted",
        "The attention mask is inverted on the way to the layers: padding is attended to and real tokens are hidden.",
        "Does 1 mean 'a token' or 'padding' in an attention mask, and what does your layer expect?",
    ),
    wrong_turn(
        "attention_mask_over_queries",
        "The attention mask ends up on the query axis: padded queries are hidden, padded keys are not.",
        "Which axis of [batch, query, key] says who is looked at?",
    ),
    wrong_turn(
        "no_final_norm",
        "The final LayerNorm is there but not applied.",
        "Which of your parameters have no gradient after a backward pass?",
    ),
    wrong_turn(
        "residual_around_stack",
        "The embeddings are added once more after the last layer.",
        "Which residual connections does the encoder have?",
    ),
)

CLASSIFIER = (
    wrong_turn(
        "logits_sigmoid",
        "What comes out went through a sigmoid: probabilities, not logits. The cross-entropy would squash them a "
        "second time.",
        "What does the loss expect: scores of any size, or numbers between 0 and 1?",
    ),
    wrong_turn(
        "logits_softmax",
        "What comes out went through a softmax: the rows sum to 1. The cross-entropy would take a softmax of that "
        "again, and the loss cannot fall far.",
        "What does the loss expect: scores of any size, or probabilities?",
    ),
    wrong_turn(
        "logits_log_softmax",
        "What comes out are log-probabilities, not logits.",
        "Which step belongs to the model, and which to the loss?",
    ),
    wrong_turn(
        "logits_argmax",
        "The predicted class is returned, not the logits: no gradient can flow through an argmax.",
        "What does training need to know beyond which label won?",
    ),
    wrong_turn(
        "logits_relu",
        "A ReLU cuts the logits: no label can get a negative score.",
        "Which scores may a logit take?",
    ),
    wrong_turn("logits_tanh", "A tanh squashes the logits.", "Which scores may a logit take?"),
    wrong_turn(
        "pooled_relu",
        "A ReLU is applied to the [CLS] vector before the classifier: its negative features are lost.",
        "What does the exercise put between the [CLS] vector and the linear map?",
    ),
    wrong_turn(
        "pooled_tanh",
        "A tanh is applied to the [CLS] vector before the classifier (BERT's pooler has one, with a "
        "linear map of its own; this exercise has neither).",
        "What does the exercise put between the [CLS] vector and the linear map?",
    ),
    wrong_turn(
        "pooled_gelu",
        "A GELU is applied to the [CLS] vector before the classifier.",
        "What does the exercise put between the [CLS] vector and the linear map?",
    ),
    wrong_turn(
        "pool_last",
        "The last position is classified, which is [SEP] or padding, not [CLS].",
        "Where in the sequence does [CLS] stand?",
    ),
    wrong_turn(
        "pool_last_real",
        "The last real token is classified, not [CLS].",
        "Where in the sequence does [CLS] stand?",
    ),
    wrong_turn(
        "pool_second",
        "The second position, the first word, is classified, not [CLS].",
        "Which index does the first position have?",
    ),
    wrong_turn(
        "pool_mean",
        "The mean over all positions is classified, padding included, not [CLS].",
        "Which token's vector does the exercise ask for?",
    ),
    wrong_turn(
        "pool_masked_mean",
        "The mean over the real tokens is classified, not [CLS].",
        "Which token's vector does the exercise ask for?",
    ),
    wrong_turn(
        "pool_max",
        "The maximum over all positions is classified, not [CLS].",
        "Which token's vector does the exercise ask for?",
    ),
    wrong_turn(
        "pool_sum",
        "The sum over all positions is classified, not [CLS]: it grows with the length.",
        "Which token's vector does the exercise ask for?",
    ),
    wrong_turn(
        "head_without_bias",
        "The classifier's linear map has no bias.",
        "What should the logits of a zero vector be?",
    ),
)

POOLER = (
    wrong_turn("no_tanh", "There is no tanh: outputs beyond 1 occur.", "Which range should the result have?"),
    wrong_turn("relu_for_tanh", "A ReLU stands where the tanh should.", "Which range should the result have?"),
    wrong_turn(
        "sigmoid_for_tanh", "A sigmoid stands where the tanh should.", "Which range should the result have?"
    ),
    wrong_turn("gelu_for_tanh", "A GELU stands where the tanh should.", "Which range should the result have?"),
    wrong_turn(
        "tanh_before_dense",
        "The tanh comes before the linear map.",
        "Which range should the result have?",
    ),
    wrong_turn(
        "no_dense",
        "The linear map is not applied.",
        "Which of your parameters have no gradient after a backward pass?",
    ),
    wrong_turn(
        "pool_nothing",
        "Every position is returned, not the first alone.",
        "How many vectors should stand for one sentence?",
    ),
    *(turn for turn in CLASSIFIER if turn.id in ("pool_last", "pool_mean", "pool_max")),
)

DECODER = (
    wrong_turn(
        "not_causal",
        "The self-attention sees the future: there is no causal mask.",
        "When the third word is written, is the fourth known?",
    ),
    wrong_turn(
        "causal_reversed",
        "The causal mask is turned round: each position sees itself and the future, not the past.",
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
        "The residual connections start from the normalised vectors, not from the hidden state itself.",
        "With all three parts giving zero, what should the layer return?",
    ),
    wrong_turn("no_norms", "No LayerNorm is applied.", "Which of your parameters have no gradient?"),
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
        "The roles are exchanged: queries come from the memory, keys and values from the hidden state, so the output "
        "is as long as the memory.",
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

ADDITIVE = (
    wrong_turn(
        "no_tanh",
        "There is no tanh: the score is linear, so the query's part is the same for all keys and cancels "
        "in the softmax.",
        "If all keys get the same extra score from a query, what does the softmax make of it?",
    ),
    wrong_turn(
        "tanh_of_each",
        "The tanh is taken of query and key separately, before they are added: they never interact.",
        "What goes through the tanh: each part, or their sum?",
    ),
    wrong_turn(
        "tanh_last",
        "A tanh squashes the final score.",
        "Which comes first: tanh, or the product with v?",
    ),
    wrong_turn("relu_for_tanh", "A ReLU stands where the tanh should.", "Which values can the hidden features take?"),
    wrong_turn(
        "sigmoid_for_tanh", "A sigmoid stands where the tanh should.", "Which values can the hidden features take?"
    ),
    wrong_turn("gelu_for_tanh", "A GELU stands where the tanh should.", "Which values can the hidden features take?"),
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
        "The scores are divided by the root of hidden_dim: nothing is scaled in additive attention.",
        "Which formula does the root belong to, and why is it not needed here?",
    ),
    wrong_turn(
        "scaled_by_key_root",
        "The scores are divided by the root of the key width: nothing is scaled in additive attention.",
        "Which formula does the root belong to, and why is it not needed here?",
    ),
    wrong_turn(
        "scaled_by_query_root",
        "The scores are divided by the root of the query width: nothing is scaled in additive attention.",
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
