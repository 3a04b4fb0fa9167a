# wrong: a score of exactly 0 is taken for a masked one
def attention_scores(query, key):
    scores = query @ key.mT / query.shape[-1] ** 0.5
    return scores.masked_fill(scores == 0, -1e9)
