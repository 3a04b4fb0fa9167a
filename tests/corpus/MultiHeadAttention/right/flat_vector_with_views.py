# right: haiku-like functional style: one flat parameter vector with views
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.d = config.hidden_size
        self.n = config.num_attention_heads
        if self.d % self.n:
            raise ValueError("heads must divide d")
        self.flat = nn.Parameter(0.1 * torch.randn(4 * self.d * self.d + 4 * self.d))

    def _params(self):
        d = self.d
        sizes = [d * d] * 4 + [d] * 4
        parts = torch.split(self.flat, sizes)
        return [p.view(d, d) for p in parts[:4]], list(parts[4:])

    def forward(self, hidden_state, mask=None):
        (wq, wk, wv, wo), (bq, bk, bv, bo) = self._params()
        b, t, d = hidden_state.shape

        def project(w, bias):
            return (hidden_state @ w + bias).reshape(b, t, self.n, -1).movedim(2, 1)

        q, k, v = project(wq, bq), project(wk, bk), project(wv, bv)
        logits = torch.einsum("bhtd,bhTd->bhtT", q, k) * (d // self.n) ** -0.5
        if mask is not None:
            logits = torch.where(mask.unsqueeze(-3).to(torch.bool), logits, torch.full_like(logits, -1e30))
        w = torch.softmax(logits, -1)
        a = torch.einsum("bhtT,bhTd->bthd", w, v).reshape(b, t, d)
        return a @ wo + bo
