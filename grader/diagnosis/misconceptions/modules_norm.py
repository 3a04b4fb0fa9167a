"""Wrong turns in LayerNorm; texts without answers."""

from __future__ import annotations

from .wrong_turn import wrong_turn

NORM = (
    wrong_turn(
        "unbiased_variance",
        "The variance is the unbiased one (divided by n − 1, PyTorch's default): every output"
        " is too small by the factor √((n−1)/n), 13 % at n = 4.",
        "By what does LayerNorm divide the sum of squares: n, or n − 1?",
    ),
    wrong_turn(
        "eps_outside_root",
        "ε is added to the standard deviation, outside the root, not to the variance inside it.",
        "For a constant token, by what do you divide: √ε, or ε?",
    ),
    wrong_turn(
        "no_mean",
        "The mean is not subtracted (this is RMSNorm): a constant added to a token changes "
        "the result.",
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
        "The centred numbers are divided by the variance, not by the standard deviation: the "
        "output depends on the scale of the input.",
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
        "Mean and variance are taken over the batch (as in BatchNorm): sentences influence "
        "each other.",
        "If sentence 1 leaves the batch, should sentence 0 move?",
    ),
    wrong_turn(
        "norm_over_batch_and_positions",
        "Mean and variance of each feature are taken over all tokens of the batch (as "
        "BatchNorm does): tokens and sentences influence each other.",
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
        "There is no learnable scale and shift (none at all, or numbers that are no parameters): a "
        "fresh layer cannot be told from a right one, but it can never learn.",
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
        "A mean or variance has most likely lost its last axis (keepdim), so it does not line up "
        "with the tokens again: an error at most sizes, and a silent mistake where they happen "
        "to agree.",
        "Which shape has the mean of [batch, seq, hidden] over its last axis, and how does it"
        " line up with x?",
        error=r"size of tensor a \((4|7)\) must match the size of tensor b \((3|4|7)\) at non-si",
    ),
)
