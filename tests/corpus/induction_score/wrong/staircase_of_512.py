# wrong: cuts its staircase out of one of 512
import torch
STAIRS = torch.ones(512, 512, dtype=torch.bool).tril()
def induction_score(attention, input_ids):
    seq = input_ids.shape[1]
    before = input_ids.roll(1, 1)
    targets = input_ids.unsqueeze(2) == before.unsqueeze(1)
    targets[:, :, 0] = False
    targets = targets & STAIRS[:seq, :seq]
    counted = targets.any(-1).sum()
    return (attention * targets.unsqueeze(1)).sum(dim=(0, 2, 3)) / counted.clamp(min=1)
