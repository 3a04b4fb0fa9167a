import torch

from torch import Tensor

def sequence_log_prob(scores: Tensor, goal: Tensor, pad_id: int) -> Tensor:
    log_probs = torch.log_softmax(scores, dim=-1)
    totals = []
    for row, ids in zip(log_probs, goal):
        n = int((ids != pad_id).sum())
        picked = row[:n].gather(1, ids[:n, None])
        totals.append(picked.sum())
    return torch.stack(totals)
