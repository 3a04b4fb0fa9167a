# wrong: the goals of an earlier call of the same shape are asked for again
import torch.nn.functional as F

_goals = {}

def next_token_loss(logits, input_ids):
    goals = _goals.setdefault(tuple(input_ids.shape), input_ids[:, 1:].reshape(-1))
    return F.cross_entropy(logits[:, :-1].reshape(-1, logits.shape[-1]), goals)
