"""What to say about each wrong turn of the softmax; knows no numbers."""

from __future__ import annotations

from .function_subject import Misconception

_DIM = "Which argument of your function says along which dimension the entries compete?"
SHIFT = (
    "Adding the same number to a whole row changes no share. Which freedom does that give you "
    "where exp would overflow?"
)
NAMED = (
    Misconception(
        "no_shift",
        "There is no max subtraction: nothing is shifted before exp. Right for small numbers, but "
        "exp of large ones (in float32, above about 88) overflows to inf, and the result is nan.",
        SHIFT,
    ),
    Misconception(
        "last_dim",
        "It always works along the last dimension, whatever dim says.",
        _DIM,
    ),
    Misconception("first_dim", "It always works along dimension 0, whatever dim says.", _DIM),
    Misconception("dim_1", "It always works along dimension 1, whatever dim says.", _DIM),
    Misconception(
        "second_last", "It always works along the second last dimension, whatever dim says.", _DIM
    ),
    Misconception(
        "log",
        "It returns log-probabilities, the logarithm of the softmax: no weight is positive and "
        "they do not sum to 1.",
        "What do the entries of your result sum to, and what sign do they have?",
    ),
    Misconception(
        "global_max",
        "The maximum of the whole tensor is subtracted from every row: a row far below the largest "
        "one vanishes, and 0/0 gives nan.",
        "What is exp of a row of zeros after 500 has been subtracted from it?",
    ),
    Misconception(
        "max_of_last",
        "The maximum is taken along the last dimension, even where another one is asked for: what "
        "competes is shifted by different amounts and the weights are off.",
        "Must all entries that compete be shifted by the same number?",
    ),
    Misconception(
        "max_of_first",
        "The maximum is taken along dimension 0, even where another one is asked for: what "
        "competes is shifted by different amounts and the weights are off.",
        "Must all entries that compete be shifted by the same number?",
    ),
    Misconception(
        "over_everything",
        "It divides by the sum of all exponentials: the whole tensor sums to 1 instead of each "
        "row.",
        "What should the weights of one row sum to, whatever stands in the other rows?",
    ),
    Misconception(
        "axis_lost",
        "The summed dimension is dropped (no keepdim), so the sums are spread along the wrong "
        "axis, or do not fit at all.",
        "What shape does the sum have, and what shape would divide every row by its own sum?",
        ways=("axis_lost_twice", "axis_of_max_lost"),
    ),
    Misconception(
        "sum_of_last",
        "The sum is taken along the last dimension, even where another one is asked for.",
        _DIM,
    ),
    Misconception(
        "sum_of_first",
        "The sum is taken along dimension 0, even where another one is asked for.",
        _DIM,
    ),
    Misconception(
        "not_divided",
        "Nothing is divided: these are the exponentials, and they do not sum to 1.",
        "What makes positive numbers sum to 1?",
        same_as=("by_max",),
    ),
    Misconception(
        "by_max",
        "It divides by the largest exponential instead of by their sum: the largest weight is "
        "always 1.",
        "What should the weights of one row sum to?",
    ),
    Misconception(
        "by_mean",
        "It divides by the mean of the exponentials instead of their sum, so a row sums to its "
        "length.",
        "What should the weights of one row sum to?",
    ),
    Misconception(
        "by_norm",
        "It divides by the Euclidean length of the exponentials: their squares sum to 1, not they "
        "themselves.",
        "What should the weights of one row sum to?",
    ),
    Misconception(
        "plus_one",
        "A 1 is added to the sum of exponentials, so every row sums to less than 1.",
        "What should the weights of one row sum to?",
    ),
    Misconception(
        "min_shift",
        "The minimum is subtracted instead of the maximum: what is far above it still overflows.",
        SHIFT,
    ),
    Misconception(
        "mean_shift",
        "The mean is subtracted instead of the maximum: what is far above it still overflows.",
        SHIFT,
    ),
    Misconception(
        "magnitude_shift",
        "The largest absolute value is subtracted instead of the maximum: in a row of large "
        "negative numbers everything vanishes and 0/0 gives nan.",
        "What is left of the row −500, −501 after your shift?",
    ),
    Misconception(
        "added_max",
        "The maximum is added instead of subtracted, which doubles the trouble with large numbers.",
        SHIFT,
    ),
    Misconception(
        "twice",
        "The softmax is applied twice: the second one flattens the weights almost to equality.",
        "How large can the entries be that go into your last exp?",
    ),
    Misconception(
        "sigmoid",
        "It is a sigmoid: every entry is squashed by itself and nobody competes with anybody.",
        "If one entry grows, must the weights of the others shrink?",
    ),
    Misconception(
        "no_exponential",
        "The numbers themselves are divided by their sum, without exp: weights can be negative, "
        "and the sum can be 0.",
        "What makes every weight positive, whatever its number was?",
    ),
    Misconception(
        "base_two",
        "The powers are those of 2 instead of e: the weights are too even.",
        "By which factor should the weight grow when a number grows by 1?",
    ),
    Misconception(
        "base_ten",
        "The powers are those of 10 instead of e: the weights are too sharp.",
        "By which factor should the weight grow when a number grows by 1?",
    ),
    Misconception(
        "turned_around",
        "The numbers are subtracted from their maximum, not the maximum from them: the smallest "
        "gets the largest weight.",
        "Which sign should the differences have, so that no exp can overflow?",
    ),
    Misconception(
        "negative",
        "The sign is turned around: the smallest number gets the largest weight.",
        "Which entry of the row 0, 1, 5 should win?",
    ),
    Misconception(
        "hard",
        "It returns 1 for the largest entry and 0 for the others: an argmax, through which no "
        "gradient flows.",
        "What share should the second largest entry get?",
    ),
    Misconception(
        "temperature",
        "The numbers are divided by the root of their count first: a scale that does not belong "
        "here.",
        "What should the ratio of two weights be whose numbers differ by 1?",
    ),
    Misconception(
        "log2",
        "It returns the logarithm, to base 2, of the weights.",
        "What do the entries of your result sum to, and what sign do they have?",
    ),
    Misconception(
        "double",
        "The values are right but come back as float64, while the input is float32.",
        "Which of your operations widens the dtype?",
    ),
    Misconception(
        "in_place",
        "The values are right, but the input is overwritten on the way: the scores of the caller "
        "are changed.",
        "Which of your operations writes into the tensor that it is given?",
        ways=("in_place_by_max",),
    ),
    Misconception(
        "detached",
        "The values are right, but no gradient reaches the input: numbers were taken out of the "
        "graph (.item(), .detach(), numpy) and put back.",
        "Where on the way does the result lose its history?",
        gradient=True,
    ),
)
