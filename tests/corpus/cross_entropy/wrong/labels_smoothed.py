# wrong: label smoothing of a tenth
# named: smoothed
import torch
def cross_entropy(logits, labels, smoothing=0.1):
    lp = logits.log_softmax(-1)
    n = lp.size(-1)
    target = torch.full_like(lp, smoothing / n).scatter_add(1, labels[:, None], torch.full((len(labels), 1), 1 - smoothing))
    return -(target * lp).sum(-1).mean()
