# wrong: the chance is held above 1e-12 before the log
# named: with_constant
import torch
def next_token_loss(logits, input_ids):
    p = logits[:, :-1].softmax(-1).gather(-1, input_ids[:, 1:].unsqueeze(-1)).squeeze(-1)
    return -(p.clamp(min=1e-12).log()).mean()
