# wrong: with top_k the place among the k likeliest comes back
# named: ranks_with_k
import torch


def sample(logits, generator, temperature=1.0, top_k=None, top_p=None):
    z = logits / temperature
    if top_k is not None:
        z, _ = z.topk(min(top_k, z.size(-1)))
    p = z.softmax(-1)
    if top_p is not None:
        q, order = p.sort(-1, descending=True)
        q = q.masked_fill(q.cumsum(-1) - q >= top_p, 0)
        p = torch.zeros_like(p).scatter(-1, order, q)
    return torch.multinomial(p, 1, generator=generator).squeeze(-1)
