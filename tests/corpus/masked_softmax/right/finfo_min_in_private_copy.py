# right: finfo.min, private copy written in place, ready-made softmax
import torch
import torch.nn.functional as F

def masked_softmax(scores, mask):
    s = scores.clone()
    hidden = torch.broadcast_to(mask, s.shape) == 0
    s[hidden] = torch.finfo(s.dtype).min
    return F.softmax(s, dim=-1)
