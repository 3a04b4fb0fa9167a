# right: goes through distances, a diagonal at a time
import torch

def induction_score(attention, input_ids):
    b, h, s, _ = attention.shape
    paid = torch.zeros(b, h, s)
    counted = torch.zeros(b, s, dtype=torch.bool)
    for back in range(1, s):
        again = input_ids[:, back:] == input_ids[:, :-back]
        on = attention.diagonal(1 - back, 2, 3)[:, :, -(s - back):]
        paid[:, :, back:] += on * again[:, None]
        counted[:, back:] |= again
    n = max(int(counted.sum()), 1)
    return paid.sum((0, 2)) / n
