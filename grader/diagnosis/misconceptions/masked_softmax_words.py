"""What to say about each wrong turn of masking; knows no numbers."""

from __future__ import annotations

from .function_subject import Misconception

_BEFORE = "What do the weights of one query sum to after your masking?"
_FILL = "Which number stays below every possible score, and becomes exactly 0 under exp?"
SOFTMAX_PART = (
    Misconception(
        "no_shift",
        "There is no max subtraction: nothing is shifted before exp, so large scores (in "
        "float32, above about 88) overflow and give inf or nan, and very low ones vanish.",
        "Adding the same number to a whole row changes no share. Which freedom does that give "
        "you where exp would overflow?",
    ),
    Misconception(
        "over_queries",
        "The softmax runs over the queries (axis 1) instead of the keys: columns sum to 1, rows "
        "do not.",
        "Between whom does a query distribute its attention, and which axis is that?",
    ),
    Misconception(
        "over_batch",
        "The softmax runs over the batch: the sentences compete with each other.",
        "Between whom does a query distribute its attention, and which axis is that?",
    ),
    Misconception(
        "global_max",
        "The maximum of the whole tensor is subtracted from every row: rows far below it vanish, "
        "and 0/0 gives nan.",
        "What is left of a low row after the maximum of another row is subtracted?",
    ),
    Misconception(
        "over_everything",
        "It divides by the sum of all exponentials: the whole tensor sums to 1 instead of each "
        "row.",
        "What should the weights of one query sum to?",
    ),
    Misconception(
        "twice",
        "The softmax is applied twice: hidden keys get weight again, and all weights come out "
        "almost equal.",
        "What goes into your last exp, scores or weights?",
    ),
)
MASK_PART = (
    Misconception(
        "inverted",
        "The mask is inverted: it hides where the mask is 1. Exactly the keys that should be "
        "hidden are attended to.",
        "What does a 1 in the mask stand for: may attend, or hidden?",
    ),
    Misconception(
        "ignored",
        "The mask is not applied at all: hidden keys keep their weight, so padding changes the "
        "result.",
        "What changes in your result when you change the mask?",
    ),
    Misconception(
        "after",
        "The weights are set to 0 after the softmax without renormalising: what the hidden keys "
        "had is lost, and a query's weights sum to less than 1.",
        _BEFORE,
    ),
    Misconception(
        "fill_zero",
        "Hidden scores are set to 0 before the softmax (filled with 0 or 1e-9, or multiplied by "
        "the mask): 0 is an ordinary score, and exp(0) is 1, so hidden keys still get weight.",
        "What weight does a score of 0 get?",
    ),
    Misconception(
        "fill_minus_one",
        "Hidden scores are set to −1, an ordinary score: hidden keys still get weight.",
        _FILL,
    ),
    Misconception(
        "fill_10",
        "Hidden scores are filled with −10: this fill is finite and too small, and weight leaks to "
        "hidden keys where the other scores are low.",
        _FILL,
    ),
    Misconception(
        "fill_100",
        "Hidden scores are filled with −100: finite and too small, weight leaks to hidden keys "
        "where the other scores are low.",
        _FILL,
    ),
    Misconception(
        "fill_1e3",
        "Hidden scores are filled with −1000: finite and too small, weight leaks to hidden keys "
        "where the other scores are very negative.",
        _FILL,
    ),
    Misconception(
        "fill_1e4",
        "Hidden scores are filled with −1e4 (a constant from the days of float16): weight leaks to "
        "hidden keys where the kept scores are very negative.",
        _FILL,
    ),
    Misconception(
        "added_10",
        "10 is subtracted from hidden scores: a finite penalty that a high score overcomes, so "
        "weight leaks to hidden keys.",
        _FILL,
    ),
    Misconception(
        "added_one",
        "The 0/1 mask itself is added to the scores (or mask − 1, which is the same to a softmax): "
        "visible keys gain a factor e, hidden ones keep a weight.",
        "By which factor does a weight change when 1 is added to its score?",
    ),
    Misconception(
        "nan",
        "−inf is multiplied by 0 where nothing is hidden, and 0·inf is nan: real positions turn "
        "into nan.",
        "What is 0 times infinity in floating point?",
    ),
    Misconception(
        "fill_plus",
        "Hidden scores are set to a huge positive number: all attention goes to what should be "
        "hidden.",
        "Which sign must a score have that nobody attends to?",
    ),
    Misconception(
        "fill_plus_inf",
        "Hidden scores are set to +inf instead of −inf, and inf − inf gives nan.",
        "Which sign must a score have that nobody attends to?",
    ),
    Misconception(
        "first_row",
        "The mask of the first sentence is used for the whole batch.",
        "What is right for the first sentence and wrong for the others?",
    ),
    Misconception(
        "last_row",
        "The mask of the last sentence is used for the whole batch.",
        "What is right for the last sentence and wrong for the others?",
    ),
    Misconception(
        "first_query",
        "The first query's row of the mask is used for all queries.",
        "Is the mask the same for every query, for instance with a causal mask?",
    ),
    Misconception(
        "queries_hidden",
        "The mask is transposed: it hides queries (rows) instead of keys (columns).",
        "Which axis of the scores belongs to what is attended to?",
    ),
    Misconception(
        "rows_and_columns",
        "Rows and columns are both hidden: a hidden position is also kept from asking, and a row "
        "in which everything is hidden becomes nan.",
        "What does a softmax make of a row in which everything is −inf?",
    ),
    Misconception(
        "integers_inverted",
        "An integer mask is turned around with ~, which gives −2 and −1 instead of 0 and 1: "
        "everything counts as hidden or nothing does.",
        "What is ~1 for an integer?",
        ways=("integers_all_hidden", "integers_alike"),
    ),
)
OWN_PART = (
    Misconception(
        "inverted_finite",
        "The mask is inverted: it hides where the mask is 1, and a query that may attend to every "
        "key attends to all of them alike.",
        "What does a 1 in the mask stand for: may attend, or hidden?",
    ),
    Misconception(
        "over_queries_to_zero",
        "The softmax runs over the queries (axis 1) instead of the keys, and the nan of keys that "
        "no query sees are made 0: columns sum to 1 or 0, rows do not.",
        "Between whom does a query distribute its attention, and which axis is that?",
    ),
    Misconception(
        "after_with_minus_inf",
        "The weights of hidden keys are set to −inf after the softmax: the result is not weights.",
        "Before or after which step does −inf turn into a weight of 0?",
    ),
    Misconception(
        "after_with_softmax",
        "A softmax is taken first, its hidden entries are set to −inf, and a second softmax "
        "follows, which flattens the weights.",
        "How often should exp be applied to a score?",
    ),
    Misconception(
        "divided_by_count",
        "The weights are zeroed after the softmax and divided by the number of visible keys "
        "instead of by what is left of their sum.",
        _BEFORE,
    ),
    Misconception(
        "uniform",
        "All visible keys get the same weight: the scores play no part.",
        "What changes in your result when one score grows?",
    ),
    Misconception(
        "by_max",
        "It divides by the largest exponential instead of their sum: the largest weight is always "
        "1.",
        _BEFORE,
    ),
    Misconception(
        "log",
        "It returns log-probabilities, the logarithm of the weights.",
        "What sign do the entries of your result have?",
    ),
    Misconception(
        "in_place",
        "The values are right, but the caller's scores are overwritten with −inf on the way.",
        "What does the underscore at the end of a method's name say?",
    ),
    Misconception(
        "detached",
        "The values are right, but no gradient reaches the scores.",
        "Where on the way does the result lose its history?",
        gradient=True,
    ),
)
AMBIGUOUS = Misconception(
    "if_mask",
    "`if mask:` asks a whole tensor for one truth value, which a tensor of several entries does "
    "not have.",
    "What do you want to know about the mask there: what is in it, or whether there is one?",
    error=r"Boolean value of Tensor with more than one value is ambiguous",
)
BOOL_MINUS = Misconception(
    "bool_minus",
    "A bool tensor, most likely the mask, is subtracted or negated as a number (1 − mask, say), "
    "which PyTorch refuses.",
    "Which operation turns a bool mask around, and which one works for 0/1 and bool alike?",
    error=r"with (a |two )?bool tensors? is not supported|Negation, the `-` operator, on a bool",
)
INTEGER_MASK = Misconception(
    "integer_mask",
    "The mask is used as a bool mask although it may also hold the integers 0 and 1, which PyTorch "
    "refuses here.",
    "Which comparison turns both kinds of masks into a bool mask?",
    error=r"only supports boolean masks|expected condition to be a boolean tensor|"
    r"tensors used as indices must be|expects? .*bool.* mask",
)
