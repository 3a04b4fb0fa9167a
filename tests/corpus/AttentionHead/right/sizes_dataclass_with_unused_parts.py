# right: dataclass of sizes, setattr loop, spare dropout and norm that are not used
from dataclasses import dataclass
import torch
from torch import nn


@dataclass
class Sizes:
    wide: int
    narrow: int

    @property
    def factor(self):
        return self.narrow**-0.25


class AttentionHead(nn.Module):
    def __init__(self, embed_dim, head_dim):
        super().__init__()
        self.sizes = Sizes(embed_dim, head_dim)
        for letter in "vkq":
            setattr(self, "w_" + letter, nn.Linear(embed_dim, head_dim, bias=letter != "k"))
        self.dropout = nn.Dropout(0.1)
        self.norm = nn.LayerNorm(head_dim)

    def forward(self, hidden_state, mask=None):
        q = self.w_q(hidden_state) * self.sizes.factor
        k = self.w_k(hidden_state) * self.sizes.factor
        scores = torch.bmm(q, k.permute(0, 2, 1))
        if mask is not None:
            scores = scores + (1.0 - mask.float()) * -1e9
        return torch.bmm(torch.softmax(scores, dim=2), self.w_v(hidden_state))
