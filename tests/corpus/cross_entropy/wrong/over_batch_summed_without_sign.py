import torch
def cross_entropy(logits, labels):
    p = logits.exp() / logits.exp().sum(0, keepdim=True)
    return p.gather(1, labels[:, None]).log().sum()
