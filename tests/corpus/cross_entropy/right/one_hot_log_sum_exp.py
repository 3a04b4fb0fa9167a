# right: one-hot and log-sum-exp by hand, own max
import torch

def cross_entropy(logits, labels):
    z = logits - logits.max(dim=1, keepdim=True).values
    logp = z - z.exp().sum(1, keepdim=True).log()
    hot = torch.eye(logits.shape[1], dtype=logits.dtype)[labels]
    return -torch.einsum("bl,bl->", hot, logp) / logits.shape[0]
