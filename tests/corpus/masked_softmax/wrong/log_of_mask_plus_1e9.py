# wrong: log of the mask plus 1e-9: hidden keys leak a little
# named: log_of_mask_1e_9
import torch

def masked_softmax(scores, mask):
    return torch.softmax(scores + torch.log(mask.float() + 1e-9), dim=-1)
