# right: type hints from a package that may not be there, kept behind TYPE_CHECKING
from __future__ import annotations
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from jaxtyping import Float
import torch

def scaled_dot_product_attention(query: Float[torch.Tensor, "b q d"], key: Float[torch.Tensor, "b k d"],
                                 value, mask=None) -> Float[torch.Tensor, "b q v"]:
    s = torch.einsum("...qd,...kd->...qk", query, key) / torch.sqrt(torch.tensor(query.shape[-1], dtype=query.dtype))
    if mask is not None:
        s = torch.where(mask > 0, s, -torch.inf)
    w = torch.exp(s - torch.logsumexp(s, dim=-1, keepdim=True))
    return torch.einsum("...qk,...kv->...qv", w, value)
