# wrong: takes no temperature below 0.02
import torch
def sample(logits, generator, temperature=1.0, top_k=None, top_p=None):
    scores, order = (logits / max(temperature, 0.02)).sort(dim=-1, descending=True)
    chances = scores.softmax(dim=-1)
    if top_k is not None:
        chances[:, top_k:] = 0
        chances = chances / chances.sum(dim=-1, keepdim=True)
    if top_p is not None:
        before = chances.cumsum(dim=-1) - chances
        chances = chances.masked_fill(before >= top_p, 0)
    return order.gather(-1, torch.multinomial(chances, 1, generator=generator)).squeeze(-1)
