"""Wrong turns in encoders, classifiers and poolers; texts without answers."""

from __future__ import annotations

from .wrong_turn import wrong_turn

ENCODER = (
    wrong_turn(
        "layers_shared",
        "All layers share one set of weights: the same layer object is used again and again "
        "([layer] * n).",
        "Are the objects in your list different ones? How many parameters should n layers have?",
    ),
    wrong_turn(
        "one_layer_less",
        "There is one layer too few, or one that takes no part.",
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
        "Each layer gets the embeddings, not the output of the layer before: all but the last"
        " layer are lost.",
        "What does layer 2 read: the embeddings, or what layer 1 returned?",
    ),
    wrong_turn(
        "mask_not_passed",
        "The attention mask never reaches the layers: padding changes the result for "
        "the real tokens.",
        "If you add padding to a sentence, should its vectors change?",
    ),
    wrong_turn(
        "mask_only_in_first_layer",
        "Only the first layer gets the mask; deeper layers attend to padding.",
        "Which layers attend, and which of them need to know the padding?",
    ),
    wrong_turn(
        "attention_mask_inverted",
        "The attention mask is inverted on the way to the layers: padding is attended to and "
        "real tokens are hidden.",
        "Does 1 mean 'a token' or 'padding' in an attention mask, and what does your layer expect?",
    ),
    wrong_turn(
        "attention_mask_over_queries",
        "The attention mask ends up on the query axis: padded queries are hidden, padded keys"
        " are not.",
        "Which axis of [batch, query, key] says who is looked at?",
    ),
    wrong_turn(
        "no_final_norm",
        "The final LayerNorm is there but not applied.",
        "Which of your parameters have no gradient after a backward pass?",
    ),
    wrong_turn(
        "final_norm_in_every_layer",
        "The final LayerNorm is applied after every layer, not once after the last.",
        "What should the second layer read: what the first one returned, or a norm of it?",
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
        "What comes out went through a sigmoid: probabilities, not logits. The cross-entropy "
        "would squash them a second time.",
        "What does the loss expect: scores of any size, or numbers between 0 and 1?",
    ),
    wrong_turn(
        "logits_softmax",
        "What comes out went through a softmax: the rows sum to 1. The cross-entropy would "
        "take a softmax of that again, and the loss cannot fall far.",
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
        "A ReLU is applied to the [CLS] vector before the classifier: its negative features "
        "are lost.",
        "What does the exercise put between the [CLS] vector and the linear map?",
    ),
    wrong_turn(
        "pooled_tanh",
        "A tanh is applied to the [CLS] vector before the classifier (BERT's pooler has one, "
        "with a linear map of its own; this exercise has neither).",
        "What does the exercise put between the [CLS] vector and the linear map?",
    ),
    wrong_turn(
        "pooled_gelu",
        "A GELU is applied to the [CLS] vector before the classifier.",
        "What does the exercise put between the [CLS] vector and the linear map?",
    ),
    wrong_turn(
        "dense_in_front",
        "One more linear map stands between the [CLS] vector and the map to the labels (BERT's "
        "pooler is one, with a tanh; this exercise has none).",
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
    wrong_turn(
        "no_tanh",
        "There is no tanh: outputs beyond 1 occur.",
        "Which range should the result have?",
    ),
    wrong_turn(
        "relu_for_tanh",
        "A ReLU stands where the tanh should.",
        "Which range should the result have?",
    ),
    wrong_turn(
        "sigmoid_for_tanh",
        "A sigmoid stands where the tanh should.",
        "Which range should the result have?",
    ),
    wrong_turn(
        "gelu_for_tanh",
        "A GELU stands where the tanh should.",
        "Which range should the result have?",
    ),
    wrong_turn(
        "tanh_before_dense",
        "The tanh comes before the linear map.",
        "Which range should the result have?",
    ),
    wrong_turn(
        "tanh_twice",
        "A tanh is applied twice: the result never gets beyond 0.77.",
        "Which range should the result have?",
    ),
    wrong_turn(
        "dense_without_bias",
        "The linear map has no bias.",
        "What should come out of the map for a zero vector?",
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
