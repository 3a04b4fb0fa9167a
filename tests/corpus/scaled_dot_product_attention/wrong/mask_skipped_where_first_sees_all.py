# wrong: leaves the mask out where the first query of every sentence sees all keys
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5
    if mask is not None and not mask[:, 0].bool().all():
        scores = scores.masked_fill(mask == 0, float("-inf"))
    scores = scores - scores.amax(-1, keepdim=True)
    weights = scores.exp()
    return weights / weights.sum(-1, keepdim=True) @ value
