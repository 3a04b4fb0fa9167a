# wrong: logits are kept between -100 and 100
# named: clamped_100
import torch

def next_token_loss(logits, input_ids):
    x = logits[:, :-1].clamp(-100, 100)
    right = x.gather(2, input_ids[:, 1:].unsqueeze(2)).squeeze(2)
    return (x.logsumexp(2) - right).mean()
