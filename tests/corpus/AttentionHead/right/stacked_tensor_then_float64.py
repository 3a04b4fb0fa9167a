# right: one stacked tensor makes queries, keys and values, which are float64 from there on
import torch
from torch import Tensor, nn


class AttentionHead(nn.Module):
    def __init__(self, embed_dim: int, head_dim: int) -> None:
        super().__init__()
        self.qkv = nn.Parameter(torch.empty(3, embed_dim, head_dim))
        for one in self.qkv.detach():
            nn.init.xavier_normal_(one)

    def forward(self, hidden_state: Tensor, mask: Tensor | None = None) -> Tensor:
        asks, offers, brings = torch.einsum("bse,peh->pbsh", hidden_state, self.qkv).double()
        fit = torch.einsum("bqh,bkh->bqk", asks, offers).div(self.qkv.shape[-1] ** 0.5)
        if mask is not None:
            fit = fit.where(mask > 0, -torch.inf)
        weights = torch.exp(fit - fit.logsumexp(dim=-1, keepdim=True))
        return (weights @ brings).type_as(hidden_state)
