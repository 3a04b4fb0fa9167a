# right: loop over rows, selecting only the visible keys, scatter back
import torch

def masked_softmax(scores, mask):
    full = mask.expand(scores.shape)
    rows = []
    for s, m in zip(scores.reshape(-1, scores.shape[-1]), full.reshape(-1, scores.shape[-1])):
        at = m.nonzero().squeeze(-1)
        rows.append(torch.zeros_like(s).index_put((at,), s[at].softmax(0)))
    return torch.stack(rows).view_as(scores)
