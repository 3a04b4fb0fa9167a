# wrong: label 0 is taken for padding
import torch

def cross_entropy(logits, labels):
    losses = logits.logsumexp(-1) - logits.gather(-1, labels[:, None])[:, 0]
    real = labels != 0
    return losses[real].sum() / max(1, int(real.sum()))
