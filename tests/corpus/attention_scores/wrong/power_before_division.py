# wrong: the power binds before the division: half of d_k
# named: scaled_by_half_width
import math, torch
def attention_scores(query, key):
    return query @ key.mT / (query.shape[-1] ** 1 / 2)
