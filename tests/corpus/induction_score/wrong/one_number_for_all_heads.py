# wrong: averages over heads as well
# named: heads_together
import torch

def induction_score(attention, input_ids):
    before = input_ids.roll(1, 1)
    t = (input_ids[:, :, None] == before[:, None]).tril()
    t[:, :, 0] = False
    n = t.any(-1).sum().clamp(min=1)
    share = (attention * t[:, None]).sum(-1)
    return share.sum() / (n * attention.shape[1])
