"""What to say about each wrong turn of scaled dot products; knows no numbers."""

from __future__ import annotations

from .function_subject import Misconception

_VARIANCE = "What is the variance of a sum of d products of independent standard normal numbers?"
MISCONCEPTIONS = (
    Misconception(
        "unscaled",
        "Nothing is scaled: these are the plain dot products, without 1/√d_k. With wide vectors "
        "they grow large and the softmax that follows saturates.",
        _VARIANCE,
    ),
    Misconception(
        "by_width",
        "The dot products are divided by d_k itself instead of by its root (so it is when query "
        "and key are each divided by √d_k, or when the products are averaged): the scores come "
        "out too small and the attention too even.",
        "Which power of d_k brings the variance of the scores back to 1, and how often is it "
        "applied?",
    ),
    Misconception(
        "by_root_of_queries",
        "The scores are scaled by the root of the number of queries: √(sequence length), not the "
        "width of a query. So the same two vectors score differently in a longer sentence.",
        "Which axis of [batch, query, d_k] does your scale come from?",
    ),
    Misconception(
        "by_root_of_keys",
        "The scores are scaled by the root of the number of keys, √(sequence length), instead of "
        "the width of a key. So the same two vectors score differently in a longer sentence.",
        "Which axis of [batch, key, d_k] does your scale come from?",
    ),
    Misconception(
        "multiplied",
        "The dot products are multiplied by √d_k instead of divided, so the scores grow even "
        "faster with the width and the softmax turns one-hot.",
        "Should the scores of wide vectors be made smaller or larger?",
    ),
    Misconception(
        "transposed",
        "The score matrix is transposed: K·Qᵀ, one row for each key instead of one row for each "
        "query.",
        "In scores[b, i, j], is i a query or a key? Whose product with whose transpose gives that?",
    ),
    Misconception(
        "query_query",
        "Queries are compared with queries, Q·Qᵀ; the keys are never used.",
        "What happens to your result when only the keys change?",
    ),
    Misconception(
        "key_key",
        "Keys are compared with keys, K·Kᵀ; the queries are never used.",
        "What happens to your result when only the queries change?",
    ),
    Misconception(
        "reshaped",
        "The keys are reshaped (view) to [batch, d_k, key] instead of transposed: the shape fits, "
        "but the numbers of different keys are mixed within a column.",
        "What does reshape do with [[1, 2, 3], [4, 5, 6]], and what does a transpose do?",
    ),
    Misconception(
        "not_transposed",
        "The keys are not transposed: the product pairs features with positions and can only be "
        "computed at all when there are as many keys as features.",
        "Which two axes must meet in the matrix product, and where do they stand now?",
    ),
    Misconception(
        "first_axes",
        "The wrong two axes are exchanged: the first two, batch and position, so features still "
        "meet positions.",
        "Which axes of [batch, key, d_k] must change places so that d_k meets d_k?",
    ),
    Misconception(
        "all_axes",
        "All axes of the keys are turned around (.T of a three-dimensional tensor), so the batch "
        "ends up last.",
        "What does .T do to a tensor that has more than two axes?",
    ),
    Misconception(
        "elementwise",
        "Query and key are multiplied element by element, which gives no score between two "
        "positions, and fails when there are more keys than queries.",
        "Over which axis is a dot product summed?",
    ),
    Misconception(
        "paired",
        "Each query is compared only with the key at the same position, so one number is left for "
        "each position instead of a row of scores.",
        "How many scores are there for 3 queries and 5 keys?",
    ),
    Misconception(
        "mixed_batch",
        "The keys of all sentences are added together, so each sentence also attends to the "
        "others in its batch.",
        "If you change the second sentence, may the scores of the first one move?",
    ),
    Misconception(
        "summed_batch",
        "The scores of all sentences are summed: the batch axis is gone from the result.",
        "Which letters of the einsum must still be there after the arrow?",
    ),
    Misconception(
        "first_keys",
        "The keys of the first sentence are used for every sentence of the batch.",
        "What is right for the first sentence and wrong for all others?",
    ),
    Misconception(
        "cosine",
        "These are cosine similarities: the length of the vectors is divided away, and doubling a "
        "query changes nothing.",
        "What should happen to the scores when a query becomes twice as long?",
    ),
    Misconception(
        "softmaxed",
        "A softmax over the keys is already applied: these are weights, not scores.",
        "Which step turns scores into weights, and in which chapter does it come?",
    ),
    Misconception(
        "softmaxed_over_queries",
        "A softmax over the queries is already applied: these are weights, not scores.",
        "Which step turns scores into weights, and in which chapter does it come?",
    ),
    Misconception(
        "absolute",
        "The absolute value is taken: opposite vectors score as high as equal ones.",
        "What should the score of q and −q be?",
    ),
    Misconception(
        "relu",
        "Negative scores are cut off at 0 (a ReLU), so all keys that do not fit look alike.",
        "May a score be negative, and what would the softmax make of it?",
    ),
    Misconception(
        "by_fourth_root",
        "The dot products are divided by the fourth root of d_k: as if only one of query and key "
        "had been scaled where both should be.",
        "If the scale is split between query and key, what must the two parts multiply to?",
    ),
    Misconception(
        "fixed_64",
        "The scale is fixed at √64 = 8, right for BERT's heads alone and wrong for any other "
        "width.",
        "Where can the function learn how wide its queries are?",
    ),
    Misconception(
        "fixed_512",
        "The scale is fixed at √512, the model width of the original paper, whatever the queries' "
        "width is.",
        "Where can the function learn how wide its queries are?",
    ),
    Misconception(
        "fixed_768",
        "The scale is fixed at √768, BERT-base's model width, whatever the queries' width is.",
        "Where can the function learn how wide its queries are?",
    ),
    Misconception(
        "by_root_of_batch",
        "The scores are scaled by the root of the batch size, so a sentence scores differently in "
        "another batch.",
        "Which axis of the query does your scale come from?",
    ),
    Misconception(
        "multiplied_by_width",
        "The dot products are multiplied by d_k instead of divided by its root: the scores "
        "explode.",
        "Should the scores of wide vectors be made smaller or larger?",
    ),
    Misconception(
        "by_root_of_two_width",
        "The dot products are divided by √(2·d_k): the widths of query and key are added up.",
        "How many products does one dot product sum?",
    ),
    Misconception(
        "by_square",
        "The dot products are divided by d_k², so hardly anything is left of them.",
        "Which power of d_k brings the variance of the scores back to 1?",
    ),
    Misconception(
        "by_keys",
        "The dot products are divided by the number of keys, so they depend on the sentence's "
        "length.",
        "Which axis of [batch, key, d_k] does your scale come from?",
    ),
    Misconception(
        "distance",
        "These are negative squared distances, not dot products: a key that is long but well "
        "aligned is punished.",
        "Which operation on two vectors does the formula QKᵀ stand for?",
    ),
    Misconception(
        "added",
        "Query and key are added up instead of multiplied before the sum over features.",
        "What is the dot product of (1, 2) and (3, 4)?",
    ),
    Misconception(
        "squared",
        "The scores are squared: opposite vectors score as high as equal ones.",
        "What should the score of q and −q be?",
    ),
    Misconception(
        "negated",
        "The sign is turned around: the keys that fit best score lowest.",
        "What should the score of a vector with itself be, large or small?",
    ),
    Misconception(
        "rounded",
        "The scores are rounded to whole numbers, which loses most of what they say.",
        "Where do whole numbers enter, and are they needed?",
    ),
    Misconception(
        "tanh",
        "The scores go through a tanh, which squeezes them between −1 and 1.",
        "Which of the two kinds of attention in this chapter has a tanh?",
    ),
    Misconception(
        "double",
        "The values are right but come back as float64, while query and key are float32.",
        "Which of your numbers carries the wider dtype in?",
    ),
    Misconception(
        "detached",
        "The values are right, but no gradient reaches query and key: nothing before the scores "
        "could be trained.",
        "Where on the way does the result lose its history?",
        gradient=True,
    ),
)
