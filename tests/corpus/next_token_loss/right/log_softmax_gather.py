# right: log_softmax and gather
import torch


def next_token_loss(logits, input_ids):
    logp = torch.log_softmax(logits, dim=-1)[:, :-1]
    nxt = input_ids[:, 1:].unsqueeze(-1)
    return -logp.gather(-1, nxt).mean()
