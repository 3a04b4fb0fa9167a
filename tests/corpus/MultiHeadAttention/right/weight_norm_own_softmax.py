# right: weight_norm on every map (length and direction apart), and a softmax with a backward of its own
import torch
from torch import Tensor, nn
from torch.nn.utils.parametrizations import weight_norm


class Shares(torch.autograd.Function):
    @staticmethod
    def forward(ctx, scores):
        e = torch.exp(scores - scores.amax(-1, keepdim=True))
        p = e / e.sum(-1, keepdim=True)
        ctx.save_for_backward(p)
        return p

    @staticmethod
    def backward(ctx, grad):
        (p,) = ctx.saved_tensors
        g = grad * p
        return g - p * g.sum(-1, keepdim=True)


class MultiHeadAttention(nn.Module):
    def __init__(self, config) -> None:
        super().__init__()
        size, self.count = config.hidden_size, config.num_attention_heads
        if size % self.count:
            raise ValueError("hidden_size must be a multiple of num_attention_heads")
        self.maps = nn.ModuleList(weight_norm(nn.Linear(size, size)) for _ in range(4))  # out, key, query, value

    def forward(self, hidden_state: Tensor, mask: Tensor | None = None) -> Tensor:
        out, *three = self.maps
        k, q, v = (m(hidden_state).unflatten(2, (self.count, -1)).movedim(2, 0) for m in three)
        s = q @ k.mT / q.size(-1) ** 0.5                         # [heads, batch, query, key]
        if mask is not None:
            s = s.masked_fill(mask == 0, torch.finfo(s.dtype).min)   # broadcasts from the left
        return out((Shares.apply(s) @ v).movedim(0, 2).flatten(2))
