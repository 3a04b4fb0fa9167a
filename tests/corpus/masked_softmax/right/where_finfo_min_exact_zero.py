# right: torch.where with finfo.min then exact zero
import torch
def masked_softmax(scores, mask):
    allowed = mask.to(torch.bool).expand_as(scores)
    lowest = torch.finfo(scores.dtype).min
    z = torch.where(allowed, scores, torch.full_like(scores, lowest))
    z = z - z.amax(dim=-1, keepdim=True)
    e = torch.where(allowed, z.exp(), torch.zeros_like(z))
    return e / e.sum(dim=-1, keepdim=True)
