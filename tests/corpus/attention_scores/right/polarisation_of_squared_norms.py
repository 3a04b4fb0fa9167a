# right: cdist-free polarisation: three squared norms
import torch
def attention_scores(query, key):
    q, k = query.double(), key.double()
    s = (q.pow(2).sum(-1).unsqueeze(2) + k.pow(2).sum(-1).unsqueeze(1) - (q.unsqueeze(2) - k.unsqueeze(1)).pow(2).sum(-1)) / 2
    return (s / q.size(-1) ** 0.5).to(query.dtype)
