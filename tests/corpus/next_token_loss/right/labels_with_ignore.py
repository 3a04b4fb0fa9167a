# right: labels shifted left, the last one -100
import torch
import torch.nn.functional as F


def next_token_loss(logits, input_ids):
    labels = torch.full_like(input_ids, -100)
    labels[:, :-1] = input_ids[:, 1:]
    return F.cross_entropy(logits.reshape(-1, logits.size(-1)), labels.reshape(-1), ignore_index=-100)
