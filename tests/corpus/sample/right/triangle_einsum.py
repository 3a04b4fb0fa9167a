# right: the sum of all likelier tokens by comparing all pairs; no sort at all
import torch
from torch import Tensor


def sample(logits: Tensor, generator: torch.Generator, temperature: float = 1.0,
           top_k: int | None = None, top_p: float | None = None) -> Tensor:
    z = logits - logits.amax(-1, keepdim=True)
    z = z / temperature
    n = z.shape[-1]
    earlier = torch.ones(n, n).tril(-1).bool()                 # [i, j]: j stands before i
    ahead = (z[:, None, :] > z[:, :, None]) | ((z[:, None, :] == z[:, :, None]) & earlier)
    if top_k is not None:
        z = torch.where(ahead.sum(-1) < top_k, z, -torch.inf)
    p = torch.softmax(z, -1)
    if top_p is not None:
        likelier = torch.einsum("bij,bj->bi", ahead.to(p.dtype), p)
        p = torch.where(likelier < top_p, p, 0.0)
    return torch.multinomial(p, 1, generator=generator).squeeze(1)
