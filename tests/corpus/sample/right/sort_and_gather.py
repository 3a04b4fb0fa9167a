# right: sort, cut with infinities, multinomial, gather back
import torch
from torch import Tensor


def sample(
    logits: Tensor,
    generator: torch.Generator,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
) -> Tensor:
    scores = logits - logits.amax(dim=-1, keepdim=True)
    values, order = (scores / temperature).sort(dim=-1, descending=True)
    if top_k is not None:
        values = values[:, :top_k]
        order = order[:, :top_k]
    chances = values.softmax(dim=-1)
    if top_p is not None:
        before = chances.cumsum(dim=-1) - chances
        keep = before < top_p
        keep[:, 0] = True
        chances = chances * keep
    place = torch.multinomial(chances, 1, generator=generator)
    return order.gather(-1, place).squeeze(-1)
