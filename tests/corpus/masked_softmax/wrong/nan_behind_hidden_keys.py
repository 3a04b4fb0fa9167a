# wrong: the highest score and the sum in one pass over the keys, from −inf
# named: nan_behind_hidden
import torch


def masked_softmax(scores, mask):
    seen = scores.masked_fill(mask == 0, -torch.inf)
    peak = torch.full_like(seen[..., 0], -torch.inf)
    norm = torch.zeros_like(peak)
    for column in seen.unbind(-1):
        higher = torch.maximum(peak, column)
        norm = norm * (peak - higher).exp() + (column - higher).exp()
        peak = higher
    return (seen - peak.unsqueeze(-1)).exp() / norm.unsqueeze(-1)
