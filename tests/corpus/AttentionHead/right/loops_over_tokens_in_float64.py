# right: loops over batch and tokens, float64 inside
import torch
from torch import nn


class AttentionHead(nn.Module):
    def __init__(self, embed_dim, head_dim):
        super().__init__()
        self.w = nn.ParameterDict({n: nn.Parameter(torch.randn(head_dim, embed_dim) * 0.1) for n in ("one", "two", "three")})
        self.d = head_dim

    def forward(self, hidden_state, mask=None):
        x = hidden_state.double()
        rows = []
        for b in range(x.shape[0]):
            q = x[b] @ self.w["three"].double().T
            k = x[b] @ self.w["one"].double().T
            v = x[b] @ self.w["two"].double().T
            out = []
            for i in range(x.shape[1]):
                s = (k @ q[i]) / self.d**0.5
                if mask is not None:
                    m = mask[b if mask.shape[0] > 1 else 0]
                    s = s.masked_fill(m[i if m.shape[0] > 1 else 0] == 0, float("-inf"))
                out.append(torch.softmax(s, 0) @ v)
            rows.append(torch.stack(out))
        return torch.stack(rows).to(hidden_state.dtype)
