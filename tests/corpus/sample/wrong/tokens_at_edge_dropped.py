# wrong: with top_k only what lies above the next smaller logit stays: equal ones at the edge all go
import torch

def sample(logits, generator, temperature=1.0, top_k=None, top_p=None):
    z = logits / temperature
    if top_k is not None and top_k < z.shape[-1]:
        edge = z.topk(top_k + 1).values[:, -1:]
        z = torch.where((z > edge) | (z == z.amax(-1, keepdim=True)), z, -torch.inf)
    s, order = z.softmax(-1).sort(-1, descending=True)
    if top_p is not None:
        s = s * (s.cumsum(-1) - s < top_p)
    return order.gather(-1, torch.multinomial(s, 1, generator=generator)).squeeze(-1)
