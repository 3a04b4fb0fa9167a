# right: ranks instead of sorting back; drawn by Gumbel noise and argmax
import torch
from torch import Tensor


def sample(logits: Tensor, generator: torch.Generator, temperature: float = 1.0,
           top_k: int | None = None, top_p: float | None = None) -> Tensor:
    z = (logits - logits.amax(-1, keepdim=True)).double() / temperature
    order = z.argsort(dim=-1, descending=True)
    rank = order.argsort(dim=-1)                               # place of each token, 0 = likeliest
    if top_k is not None:
        z = z.masked_fill(rank >= top_k, -torch.inf)
    if top_p is not None:
        p = z.softmax(-1).gather(-1, order)
        ahead = torch.nn.functional.pad(p.cumsum(-1)[:, :-1], (1, 0))
        z = z.masked_fill(ahead.gather(-1, rank) >= top_p, -torch.inf)
    u = torch.rand(z.shape, generator=generator, dtype=torch.float64).clamp_min(1e-300)
    return (z - torch.log(-torch.log(u))).argmax(dim=-1)
