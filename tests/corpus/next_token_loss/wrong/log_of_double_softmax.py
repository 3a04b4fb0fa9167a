# wrong: the logarithm of a softmax in 64 bits: a mistake of 1000 costs inf
import torch

def next_token_loss(logits, input_ids):
    p = torch.softmax(logits[:, :-1].double(), -1)
    right = p.gather(-1, input_ids[:, 1:, None])
    return -right.log().mean().float()
