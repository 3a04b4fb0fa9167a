# wrong: own softmax(x) without dim; inverted mask
# named: mask_inverted, mask_inverted_finite
import torch

def softmax(x):
    e = torch.exp(x - x.max(dim=-1, keepdim=True).values)
    return e / e.sum(dim=-1, keepdim=True)

def masked_softmax(scores, mask):
    scores = scores.masked_fill(mask == 1, float("-1e9"))
    return softmax(scores)
