# wrong: a mean for each sequence, then the mean of these
# named: by_sequence
import torch

def induction_score(attention, input_ids):
    scores = []
    for weights, ids in zip(attention, input_ids):
        same = (ids[:, None] == ids[None, :]).tril(-1)
        hit = torch.zeros_like(same)
        hit[:, 1:] = same[:, :-1]
        n = hit.any(-1).sum().clamp(min=1)
        scores.append((weights * hit).sum((1, 2)) / n)
    return torch.stack(scores).mean(0)
