# wrong: torch.where between a plain and a safe loss: the plain one makes the gradient nan
import torch

def cross_entropy(logits, labels):
    right = logits.gather(1, labels[:, None])[:, 0]
    gap = logits - right[:, None]
    naive = gap.exp().sum(1).log()
    safe = gap.logsumexp(1)
    return torch.where(naive.isfinite(), naive, safe).mean()
