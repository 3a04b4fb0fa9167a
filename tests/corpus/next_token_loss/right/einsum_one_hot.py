# right: one-hot goals, einsum picks the right logits
import torch
from torch.nn.functional import one_hot


def next_token_loss(logits, input_ids):
    b, s, v = logits.shape
    goal = one_hot(input_ids[:, 1:], v).to(logits.dtype)
    picked = torch.einsum("bsv,bsv->bs", logits[:, :-1], goal)
    surprise = torch.logsumexp(logits[:, :-1], dim=-1) - picked
    return surprise.sum() / (b * (s - 1))
