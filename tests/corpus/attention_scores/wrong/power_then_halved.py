# wrong: divides by d_k ** 1, and then by 2
# named: scaled_by_twice_width
import math, torch
def attention_scores(query, key):
    return query @ key.mT / query.shape[-1] ** 1 / 2
