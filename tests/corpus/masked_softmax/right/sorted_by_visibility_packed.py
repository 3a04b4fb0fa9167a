# right: sparse: sorts by visibility and packs rows
import torch
def masked_softmax(scores, mask):
    keep = mask.ne(0).expand(scores.shape)
    flat_scores, flat_keep = scores.reshape(-1, scores.size(-1)), keep.reshape(-1, scores.size(-1))
    out = []
    for row, k in zip(flat_scores, flat_keep):
        idx = k.nonzero().flatten()
        z = row.index_select(0, idx)
        e = (z - z.max()).exp()
        out.append(torch.zeros_like(row).index_copy(0, idx, e / e.sum()))
    return torch.stack(out).view_as(scores)
