# right: each rival's difference to the right logit, then a logsumexp of differences
import torch


def next_token_loss(logits, input_ids):
    guess = logits[:, :-1].contiguous().view(-1, logits.shape[2])
    goal = input_ids[:, 1:].contiguous().view(-1, 1)
    difference = guess - guess.gather(1, goal)       # 0 at the right piece
    return torch.logsumexp(difference, 1).mean()
