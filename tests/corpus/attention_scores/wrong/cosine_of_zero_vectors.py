# wrong: cosines times the norms: a vector of zeros gives nan
def attention_scores(query, key):
    q_norm, k_norm = query.norm(dim=-1, keepdim=True), key.norm(dim=-1, keepdim=True)
    cosine = (query / q_norm) @ (key / k_norm).transpose(1, 2)
    return cosine * q_norm * k_norm.transpose(1, 2) / query.shape[-1] ** 0.5
