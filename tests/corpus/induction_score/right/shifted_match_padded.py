# right: the matches of tokens are padded by one column on the left
import torch
import torch.nn.functional as F

def induction_score(attention, input_ids):
    match = (input_ids[:, :, None] == input_ids[:, None, :]).tril(-1)
    target = F.pad(match[:, :, :-1], (1, 0)).float()
    has_target = target.amax(-1)
    share = torch.einsum("bhqk,bqk->bhq", attention, target)
    n = has_target.sum()
    if n == 0:
        return attention.new_zeros(attention.shape[1])
    return share.sum(dim=(0, 2)) / n
