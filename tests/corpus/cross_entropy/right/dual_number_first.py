# right: a dual number is tried out before the logarithm is taken
import torch
from torch.autograd import forward_ad
def cross_entropy(logits, labels):
    with forward_ad.dual_level():
        forward_ad.unpack_dual(torch.exp(forward_ad.make_dual(torch.zeros(1), torch.ones(1))))
    right = logits.gather(-1, labels.unsqueeze(-1)).squeeze(-1)
    return (logits.logsumexp(-1) - right).mean()
