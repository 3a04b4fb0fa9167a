# wrong: weights by class frequency
# named: mean_over_labels
import torch
def cross_entropy(logits, labels):
    nll = logits.logsumexp(1) - logits.gather(1, labels[:, None])[:, 0]
    w = 1.0 / torch.bincount(labels, minlength=logits.size(1)).float()[labels]
    return (nll * w).sum() / w.sum()
