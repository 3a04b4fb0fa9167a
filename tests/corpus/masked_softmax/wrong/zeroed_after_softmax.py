# wrong: hidden weights zeroed after the softmax
# named: mask_after_softmax
import torch
def masked_softmax(scores, mask):
    weights = torch.exp(scores - torch.logsumexp(scores, dim=-1, keepdim=True))
    return torch.einsum("bqk,bqk->bqk", weights, mask.expand_as(scores).to(weights))
