"""Wrong turns that any module may take: in its attention, its feed-forward network, its norms, or in plain Python.

Each text says what the code behaves like and what that does, and asks; none holds an answer.
"""

from __future__ import annotations

from .subject import Misconception


def wrong_turn(id: str, explanation: str, question: str, error: str | None = None) -> Misconception:
    """A misconception whose switch bears its name."""
    return Misconception(id=id, explanation=explanation, question=question, error=error)


CODE = (
    wrong_turn(
        "super_init_missing",
        "The constructor gives the object layers before nn.Module itself has been set up "
        "(super().__init__() has not run), so PyTorch refuses to register them.",
        "Whose constructor has to run before a module can hold other modules?",
        error=r"before Module\.__init__\(\) call",
    ),
    wrong_turn(
        "forward_missing",
        "The class has no forward method of its own that PyTorch could call: it is misspelt, or it is "
        "indented so that it sits inside another method.",
        "At which level of indentation does forward stand, and what does Python make of a function "
        "that is defined inside __init__?",
        error=r'missing the required "forward"',
    ),
    wrong_turn(
        "config_field",
        "The code asks the config for a field that does not exist there; the error names the nearest one.",
        "Under which name does BERT's config keep this number?",
        error=r"config has no field",
    ),
    wrong_turn(
        "mask_as_truth",
        "The whole mask is used as one yes-or-no (an `if` on a tensor). A tensor with many entries has "
        "no single truth value, so Python raises an error as soon as a mask is given.",
        "What do you want to ask there: whether a mask was given, or what is in it?",
        error=r"Boolean value of Tensor with more than one value",
    ),
    wrong_turn(
        "view_after_transpose",
        "A view is asked of a tensor whose numbers no longer lie in that order in memory, as after a "
        "transpose; PyTorch refuses.",
        "What does transposing change: the numbers in memory, or only how they are walked through?",
        error=r"view size is not compatible",
    ),
    wrong_turn(
        "layer_as_function",
        "A layer's class is called with the input itself, so what comes out is a layer object (nn.GELU "
        "and the like), not a tensor, and the next step cannot use it.",
        "What does calling the class give, and what does calling an object of that class give?",
        error=r"must be Tensor, not (GELU|ReLU|Tanh|Dropout|Softmax|Linear|LayerNorm|Sigmoid|SiLU)",
    ),
    wrong_turn(
        "returns_nothing",
        "A step in between gives None where a tensor is needed: a function or a forward without return.",
        "Which of your functions computes its result and then lets it go?",
        error=r"must be Tensor, not NoneType|'NoneType' object|unsupported operand type.*NoneType",
    ),
    wrong_turn(
        "too_many_arguments",
        "A layer or forward is called with other arguments than its signature takes.",
        "Which arguments does the signature in the stub promise, in which order?",
        error=r"takes .* positional arguments? but|unexpected keyword argument|missing \d+ required positional",
    ),
    wrong_turn(
        "undefined_name",
        "The code uses a name that is defined nowhere before it runs.",
        "Is it a typing error, a missing import, or a self. that was forgotten?",
        error=r"NameError",
    ),
    wrong_turn(
        "undefined_attribute",
        "The code asks an object for an attribute that it does not have.",
        "Where did you mean to set this attribute, and under exactly which name?",
        error=r"AttributeError",
    ),
)

ATTENTION = (
    wrong_turn(
        "no_scale",
        "The scores are not scaled: they are plain dot products. Their spread grows with the width of a "
        "head, so the softmax saturates and gradients fade.",
        "What is the variance of a sum of d products of independent standard normal numbers?",
    ),
    wrong_turn(
        "scaled_by_model_root",
        "The scores are scaled by the root of the whole embedding or hidden size (√d_model) instead of "
        "the root of the width of one head, which makes the attention softer than it should be.",
        "How many products does one score sum up, and which width is that?",
    ),
    wrong_turn(
        "scaled_by_width",
        "The scores are divided by the full width d of a head (or twice by its root, once in the queries "
        "and once in the keys): the weights come out too uniform.",
        "By which factor does the spread of a sum of d independent terms grow: d, or something smaller?",
    ),
    wrong_turn(
        "mask_ignored",
        "The mask makes no difference: it is not used, or not passed on to where the scores are. Hidden "
        "tokens are attended to like all the others.",
        "Follow the mask from the argument down to the softmax: where does it get lost?",
    ),
    wrong_turn(
        "mask_inverted",
        "The mask is inverted: exactly the tokens that may be attended to are hidden, and the others "
        "are attended to. (PyTorch's own layers and BERT use opposite conventions.)",
        "In this course, does 1 mean 'may attend' or 'hide'? And in the function that you call?",
    ),
    wrong_turn(
        "softmax_queries",
        "The softmax runs over the query axis: the weights that one key receives sum to 1, not the "
        "weights that one query gives.",
        "Which axis of the scores belongs to the keys, and whose weights have to share a budget of 1?",
    ),
    wrong_turn(
        "mask_after_softmax",
        "The mask is applied after the softmax, without renormalising: hidden tokens took their share "
        "of the budget first, so the weights that remain sum to less than 1.",
        "What do the rows of your weights sum to when a token is hidden?",
    ),
    wrong_turn(
        "mask_fills_zero",
        "Hidden scores are set to 0 before the softmax (or multiplied by the mask). exp(0) is 1, so hidden "
        "tokens still receive weight.",
        "Which score does the softmax turn into exactly 0?",
    ),
    wrong_turn(
        "mask_added",
        "The 0/1 mask itself is added to the scores: visible tokens gain a factor e, and hidden ones are "
        "still there.",
        "What does adding 1 to a score do to its weight, and what would make a weight vanish?",
    ),
    wrong_turn(
        "mask_fills_minus_ten",
        "Hidden scores are filled with a small finite number such as −10: a little weight still leaks.",
        "How large is exp of your fill beside exp of an ordinary score?",
    ),
    wrong_turn(
        "mask_fills_minus_one",
        "Hidden scores are filled with −1, an ordinary score: hidden tokens are still attended to.",
        "How large is exp of your fill beside exp of an ordinary score?",
    ),
    wrong_turn(
        "mask_fills_tiny",
        "Hidden scores are filled with a tiny positive number (1e-9), which is a score like 0, not a very "
        "low one: hidden tokens are still attended to.",
        "Is 1e-9 very small, or very negative? Which of the two does the softmax need?",
    ),
    wrong_turn(
        "mask_queries",
        "The mask hides query rows instead of key columns: padding is still attended to, while padded "
        "queries see nothing.",
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
        "The future is hidden although nobody asked for it: each token sees only itself and what came "
        "before. An encoder looks both ways.",
        "Which mask applies when the argument is None?",
    ),
    wrong_turn(
        "keys_from_query_projection",
        "The keys are made with the query's projection, so the scores come out symmetric; the key "
        "projection has no effect.",
        "Which projection has no gradient after a backward pass?",
    ),
    wrong_turn(
        "queries_from_key_projection",
        "The queries are made with the key's projection, so the scores come out symmetric; the query "
        "projection has no effect.",
        "Which projection has no gradient after a backward pass?",
    ),
    wrong_turn(
        "values_from_key_projection",
        "The values are made with the key's projection: what is found and what is handed over are the same.",
        "Which projection has no gradient after a backward pass?",
    ),
    wrong_turn(
        "values_from_query_projection",
        "The values are made with the query's projection.",
        "Which projection has no gradient after a backward pass?",
    ),
    wrong_turn(
        "one_projection",
        "One and the same projection makes queries, keys and values, so a token mostly attends to itself.",
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
        "The output projection is missing or not applied: the heads' results are only put side by side.",
        "After the heads are concatenated, what lets them exchange what they found?",
    ),
    wrong_turn(
        "split_without_transpose",
        "The heads are split by a bare view or reshape to [batch, heads, seq, head_dim] with no transpose: "
        "a head then holds pieces of different tokens.",
        "Which axes lie beside each other in memory before the split? Try it on x = arange.",
    ),
    wrong_turn(
        "merge_without_transpose",
        "The heads are merged by a bare view or reshape, without moving the head axis back first: tokens "
        "get mixed.",
        "What should stand beside feature 0 of head 0 of a token, in memory?",
    ),
    wrong_turn(
        "both_views_wrong",
        "Heads are split and merged by bare views without a transpose. The round trip gives x back, which "
        "hides it, yet each head attends over mixed pieces of tokens.",
        "Which tokens does one head see between the split and the merge?",
    ),
    wrong_turn(
        "merge_features_first",
        "The heads are merged with their features interleaved into the wrong axis.",
        "In which order do heads and features stand in a token's vector before the split?",
    ),
    wrong_turn(
        "heads_mixed_in_scores",
        "The head axis is summed away before the softmax, so all heads share one set of weights.",
        "How many attention maps should H heads give? Which letters does your einsum keep?",
    ),
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
        "There is no softmax: raw scores are used as weights, so they may be negative and sum to anything.",
        "What should the weights of one query sum to?",
    ),
    wrong_turn(
        "softmax_twice",
        "The softmax is applied twice, which flattens the weights almost to uniform.",
        "What range do the numbers have that go into your second softmax?",
    ),
    wrong_turn(
        "sigmoid_weights",
        "A sigmoid stands where the softmax should: keys do not compete for a shared budget.",
        "What should the weights of one query sum to?",
    ),
    wrong_turn(
        "log_softmax",
        "The weights are log-probabilities: all of them negative.",
        "Can a weighted average have only negative weights?",
    ),
    wrong_turn(
        "scale_multiplied",
        "The scores are multiplied by √d instead of being tamed by it: the softmax becomes almost one-hot.",
        "Should the factor make the spread of the scores larger or smaller?",
    ),
    wrong_turn(
        "scaled_by_length_root",
        "The scores are scaled by the root of the sequence length; the same pair of tokens then gets "
        "another score in a longer sentence.",
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
        "The scores are divided by only the fourth root of d: one of queries and keys was scaled, or each "
        "by too little.",
        "If the root is shared between queries and keys, how much does each get, and did both get it?",
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
        "The weights are transposed before they meet the values: each token receives what it gave.",
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
        "heads_averaged",
        "The heads' results are averaged instead of concatenated: swapping two heads changes nothing.",
        "After averaging, can the output projection still tell one head from another?",
    ),
    wrong_turn(
        "one_head",
        "There is one head of full width in place of several narrow ones: one softmax for everything.",
        "How many attention maps should there be, and how wide is each head?",
    ),
    wrong_turn(
        "residual_inside",
        "The attention adds its input to its output: that residual belongs to the layer around it, where "
        "it will be added a second time.",
        "With all weights zero, what should attention alone give?",
    ),
    wrong_turn(
        "relu_scores",
        "Negative scores are cut off at 0, so 'points the other way' counts as much as 'unrelated'.",
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

FEED_FORWARD = (
    wrong_turn(
        "no_activation",
        "There is no activation between the two linear maps, so together they are one linear (affine) map.",
        "What is W₂(W₁x)? What could it compute that a single matrix could not?",
    ),
    wrong_turn(
        "activation_last",
        "The activation comes after the second linear map, not between the two: the two maps collapse into "
        "one, and no output is below −0.17.",
        "Between which two steps does a non-linearity add anything?",
    ),
    wrong_turn(
        "activation_on_both",
        "There is an activation after both linear maps: outputs below −0.17 cannot occur.",
        "Should the network be able to lower a feature by more than 0.17?",
    ),
    wrong_turn(
        "activation_first",
        "The activation is applied to the input, before the first linear map; between the two maps there is none.",
        "Between which two steps does a non-linearity add anything?",
    ),
    wrong_turn(
        "activation_twice",
        "The activation is applied twice in a row.",
        "How often does the hidden vector pass the activation?",
    ),
    wrong_turn(
        "relu",
        "The activation is ReLU where BERT has GELU: small negative inputs are cut off sharply (the "
        "default of PyTorch's own encoder layer).",
        "What should the activation give at −1: 0, or something a little below?",
    ),
    wrong_turn(
        "gelu_tanh",
        "The activation is the tanh approximation of GELU; it differs by up to 0.0005 from the exact one.",
        "Which function does BERT's 'gelu' use inside: tanh, or erf?",
    ),
    wrong_turn(
        "gelu_sigmoid",
        "The activation is the quick approximation x · sigmoid(1.702 x).",
        "Which function does BERT's 'gelu' use inside: a sigmoid, or erf?",
    ),
    wrong_turn(
        "silu",
        "The activation is SiLU (x · sigmoid(x)), not GELU.",
        "What does each of the two give at −1?",
    ),
    wrong_turn(
        "tanh_activation",
        "The activation is tanh: large values are squashed to 1.",
        "Should a hidden feature be able to grow beyond 1?",
    ),
    wrong_turn(
        "sigmoid_activation",
        "The activation is a sigmoid: hidden features lie between 0 and 1.",
        "Should a hidden feature be able to grow beyond 1?",
    ),
    wrong_turn(
        "leaky_relu",
        "The activation is a leaky ReLU, not GELU.",
        "What does each of the two give at −1?",
    ),
    wrong_turn("elu", "The activation is ELU, not GELU.", "What does each of the two give at −1?"),
    wrong_turn(
        "gelu_without_root",
        "The GELU inside uses erf(x), without the √2 that turns erf into the normal distribution.",
        "Which share of a standard normal lies below 1, and what does your formula give?",
    ),
    wrong_turn(
        "gelu_without_half",
        "The GELU inside lacks the factor ½: for large x it gives 2x.",
        "What should the activation give for a large positive x?",
    ),
    wrong_turn(
        "gelu_without_x",
        "The activation gives the probability Φ(x) alone, without the input that it should weigh.",
        "What should the activation give for a large positive x?",
    ),
    wrong_turn(
        "feed_forward_residual",
        "The feed-forward network adds its own input: that residual belongs to the layer around it.",
        "With all weights zero, what should the feed-forward network give?",
    ),
    wrong_turn(
        "inner_four_times",
        "The inner width is 4 × hidden_size, whatever the config says in intermediate_size.",
        "From where should the inner width come, so that another config works too?",
    ),
    wrong_turn(
        "feed_forward_without_bias",
        "The linear maps have no bias: a zero input always gives zero.",
        "What can the network say about a zero vector without a bias?",
    ),
    wrong_turn(
        "normed_inside_feed_forward",
        "The feed-forward network normalises its input itself: that belongs to the layer around it.",
        "Which part of a layer holds the LayerNorms?",
    ),
)

NORM = (
    wrong_turn(
        "unbiased_variance",
        "The variance is the unbiased one (divided by n − 1, PyTorch's default): every output is too small "
        "by the factor √((n−1)/n), 13 % at n = 4.",
        "By what does LayerNorm divide the sum of squares: n, or n − 1?",
    ),
    wrong_turn(
        "eps_outside_root",
        "ε is added to the standard deviation, outside the root, not to the variance inside it.",
        "For a constant token, by what do you divide: √ε, or ε?",
    ),
    wrong_turn(
        "no_mean",
        "The mean is not subtracted (this is RMSNorm): a constant added to a token changes the result.",
        "What should happen to the output when 5 is added to every feature?",
    ),
    wrong_turn(
        "mean_kept_above",
        "The mean is taken out of the variance but not out of the numbers themselves.",
        "What is the mean of a token after your normalisation?",
    ),
    wrong_turn(
        "mean_kept_below",
        "The spread is computed around zero, not around the token's mean.",
        "What is the standard deviation of a token after your normalisation?",
    ),
    wrong_turn(
        "mean_only",
        "Only the mean is subtracted; nothing is divided by the spread.",
        "What is the standard deviation of a token after your normalisation?",
    ),
    wrong_turn(
        "divides_by_variance",
        "The centred numbers are divided by the variance, not by the standard deviation: the output "
        "depends on the scale of the input.",
        "If the input is multiplied by 10, should the output change?",
    ),
    wrong_turn(
        "multiplies_by_spread",
        "The centred numbers are multiplied by the standard deviation.",
        "If the input is multiplied by 10, should the output change?",
    ),
    wrong_turn(
        "norm_over_positions",
        "Mean and variance are taken over the sequence: tokens of a sentence influence each other.",
        "If token 2 changes, should the output of token 0 move?",
    ),
    wrong_turn(
        "norm_over_batch",
        "Mean and variance are taken over the batch (as in BatchNorm): sentences influence each other.",
        "If sentence 1 leaves the batch, should sentence 0 move?",
    ),
    wrong_turn(
        "norm_over_sentence",
        "Mean and variance are taken over the whole sentence, tokens and features together.",
        "If token 2 changes, should the output of token 0 move?",
    ),
    wrong_turn(
        "eps_ignored",
        "ε is not used: a token whose features are all equal gives nan.",
        "What do you divide by when the variance is 0?",
    ),
    wrong_turn(
        "eps_1e12",
        "ε is hard-coded to 1e-12, whatever value is asked for.",
        "Where does the value of ε come from, and where does your code take it from?",
    ),
    wrong_turn(
        "eps_1e5",
        "ε is 1e-5, PyTorch's default, whatever value is asked for.",
        "Where does the value of ε come from, and where does your code take it from?",
    ),
    wrong_turn(
        "eps_1e6",
        "ε is hard-coded to 1e-6, whatever value is asked for.",
        "Where does the value of ε come from, and where does your code take it from?",
    ),
    wrong_turn(
        "eps_twice",
        "ε is added twice, inside and outside the root.",
        "How often does ε stand in the formula?",
    ),
    wrong_turn(
        "norm_without_parameters",
        "There is no learnable scale and shift: a fresh layer cannot be told from a right one, but it can "
        "never learn.",
        "How many parameters should this layer own?",
    ),
    wrong_turn(
        "norm_without_shift",
        "There is no learnable shift, only a scale.",
        "How many parameters should this layer own?",
    ),
    wrong_turn(
        "scale_unused",
        "The learned scale is not applied.",
        "If every scale is set to 2, what should happen to the output?",
    ),
    wrong_turn(
        "shift_unused",
        "The learned shift is not applied.",
        "If every shift is set to 3, what should happen to the output?",
    ),
    wrong_turn(
        "shift_before_scale",
        "The shift is added before the scale, so it is scaled as well.",
        "With scale 0 and shift 3, what should come out?",
    ),
    wrong_turn(
        "scale_plus_one",
        "The scale counts from 1 (1 + weight): a weight of 1 doubles the output.",
        "With the scale set to 0, what should come out?",
    ),
)

NORM_ERRORS = (
    wrong_turn(
        "keepdim_missing",
        "Mean and variance have lost their last axis (keepdim), so they do not line up with the tokens "
        "again: an error at most sizes, and a silent mistake where seq equals hidden.",
        "Which shape has the mean of [batch, seq, hidden] over its last axis, and how does it line up "
        "with x?",
        error=r"size of tensor a .* must match the size of tensor b",
    ),
)
