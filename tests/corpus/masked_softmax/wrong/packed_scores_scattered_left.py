# wrong: per-query loop that packs visible scores but scatters to the left
import torch
def masked_softmax(scores, mask):
    keep = mask.bool().expand(scores.shape)
    out = torch.zeros_like(scores)
    rows = []
    for s, k in zip(scores.flatten(0, 1), keep.flatten(0, 1)):
        p = torch.softmax(s[k], 0)
        rows.append(torch.cat([p, p.new_zeros(len(s) - len(p))]))
    return torch.stack(rows).view_as(scores)
