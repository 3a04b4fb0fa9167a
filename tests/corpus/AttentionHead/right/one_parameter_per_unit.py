# right: each of the head_dim units has a parameter [3, embed + 1] of its own (weights of q, k, v, bias first)
import torch
from torch import Tensor, nn


class AttentionHead(nn.Module):
    def __init__(self, embed_dim: int, head_dim: int) -> None:
        super().__init__()
        self.units = nn.ParameterList(
            [torch.randn(3, 1 + embed_dim) * embed_dim**-0.5 for _ in range(head_dim)])

    def forward(self, hidden_state: Tensor, mask: Tensor | None = None) -> Tensor:
        scores, values = 0.0, []
        for unit in self.units:
            b, w = unit[:, 0], unit[:, 1:]
            q, k, v = ((hidden_state * w[i]).sum(-1) + b[i] for i in range(3))   # [batch, seq]
            scores = scores + q[:, :, None] * k[:, None, :]
            values.append(v)
        scores = scores / len(self.units) ** 0.5
        if mask is not None:
            scores = torch.where(mask != 0, scores, -torch.inf)
        weights = torch.softmax(scores, -1)
        return torch.stack([(weights * v[:, None, :]).sum(-1) for v in values], dim=-1)
