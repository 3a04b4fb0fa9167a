# wrong: the second half of the rows draws by 1 less the numbers of the first
# named: rows_hang_together
import torch


def sample(logits, generator, temperature=1.0, top_k=None, top_p=None):
    z, token = torch.sort(logits / temperature, dim=-1, descending=True)
    chances = torch.softmax(z.double(), dim=-1)
    if top_k is not None:
        chances[:, top_k:] = 0
        chances = chances / chances.sum(-1, keepdim=True)
    if top_p is not None:
        chances[chances.cumsum(-1) - chances >= top_p] = 0
        chances = chances / chances.sum(-1, keepdim=True)
    n = len(logits)
    u = torch.rand(n - n // 2, generator=generator).double()
    u = torch.cat([u, 1 - u])[:n]
    place = torch.searchsorted(chances.cumsum(-1), u[:, None], right=True)
    last = (chances > 0).sum(-1, keepdim=True) - 1
    return token.gather(-1, torch.minimum(place, last))[:, 0]
