# right: one uniform number for each row and searchsorted in the running sum
import torch
from torch import Tensor


def _nucleus(chances: Tensor, p: float) -> Tensor:
    """Zeros behind the first place where the running sum has reached p. Rows are sorted down."""
    reached = chances.cumsum(-1) >= p
    behind = reached.cumsum(-1) - reached.long() > 0        # somebody before has reached it
    return chances.masked_fill(behind, 0.0)


def sample(logits: Tensor, generator: torch.Generator, temperature: float = 1.0,
           top_k: int | None = None, top_p: float | None = None) -> Tensor:
    sorted_, order = torch.sort(logits.double() / temperature, dim=-1, descending=True)
    chances = sorted_[:, : (top_k or None)].softmax(-1)
    if top_p is not None:
        chances = _nucleus(chances, top_p)
    running = chances.cumsum(-1)
    u = torch.rand(len(logits), 1, generator=generator, dtype=torch.float64) * running[:, -1:]
    last = (chances > 0).sum(-1, keepdim=True) - 1
    place = torch.minimum(torch.searchsorted(running.contiguous(), u, right=True), last)
    return order.gather(1, place)[:, 0]
