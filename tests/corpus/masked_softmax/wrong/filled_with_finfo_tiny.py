# wrong: fills hidden keys with finfo.tiny
# named: mask_fills_zero
import torch
def masked_softmax(scores, mask):
    tiny = torch.finfo(scores.dtype).tiny
    filled = scores.clone()
    filled[(mask == 0).expand_as(scores)] = tiny
    return torch.nn.functional.softmax(filled, dim=-1)
