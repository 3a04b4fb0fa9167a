# wrong: a next token of id 0 is taken for padding
# named: padding_left_out
import torch.nn.functional as F

def next_token_loss(logits, input_ids):
    goals = input_ids[:, 1:].flatten()
    losses = F.cross_entropy(logits[:, :-1].flatten(0, 1), goals, reduction="none")
    return (losses * (goals != 0)).sum() / (goals != 0).sum().clamp(min=1)
