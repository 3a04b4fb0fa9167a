# wrong: no single loss is above 500
import torch

def cross_entropy(logits, labels):
    right = logits.gather(1, labels.unsqueeze(1)).squeeze(1)
    return (logits.logsumexp(1) - right).clamp(max=500).mean()
