# wrong: divides 0 by 0 where nothing recurs
# named: nan_for_nothing
import torch

def induction_score(attention, input_ids):
    same = (input_ids[:, :, None] == input_ids[:, None, :]).tril(-1)
    t = torch.cat((torch.zeros_like(same[:, :, :1]), same[:, :, :-1]), -1)
    return (attention * t[:, None]).sum((0, 2, 3)) / t.any(-1).sum()
