"""Wrong turns in the feed-forward network; texts without answers."""

from __future__ import annotations

from .wrong_turn import wrong_turn

FEED_FORWARD = (
    wrong_turn(
        "no_activation",
        "There is no activation between the two linear maps, so together they are one linear "
        "(affine) map.",
        "What is W₂(W₁x)? What could it compute that a single matrix could not?",
    ),
    wrong_turn(
        "activation_last",
        "The activation comes after the second linear map, not between the two: the two maps "
        "collapse into one, and no output is below −0.17.",
        "Between which two steps does a non-linearity add anything?",
    ),
    wrong_turn(
        "activation_on_both",
        "There is an activation after both linear maps: outputs below −0.17 cannot occur.",
        "Should the network be able to lower a feature by more than 0.17?",
    ),
    wrong_turn(
        "activation_first",
        "The activation is applied to the input, before the first linear map; between the two"
        " maps there is none.",
        "Between which two steps does a non-linearity add anything?",
    ),
    wrong_turn(
        "activation_twice",
        "The activation is applied twice in a row.",
        "How often does the hidden vector pass the activation?",
    ),
    wrong_turn(
        "relu",
        "The activation is ReLU where BERT has GELU: small negative inputs are cut off "
        "sharply (the default of PyTorch's own encoder layer).",
        "What should the activation give at −1: 0, or something a little below?",
    ),
    wrong_turn(
        "gelu_tanh",
        "The activation is the tanh approximation of GELU; it differs by up to 0.0005 from "
        "the exact one.",
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
        "The feed-forward network adds its own input: that residual belongs to the layer "
        "around it.",
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
        "The feed-forward network normalises its input itself: that belongs to the layer "
        "around it.",
        "Which part of a layer holds the LayerNorms?",
    ),
)
