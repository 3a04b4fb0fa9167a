# wrong: heads merged with features before tokens
# named: merge_features_first
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.n = config.num_attention_heads
        self.query, self.key, self.value, self.dense = (nn.Linear(d, d) for _ in range(4))

    def forward(self, hidden_state, mask=None):
        b, t, d = hidden_state.shape
        cut = lambda x: x.view(b, t, self.n, d // self.n).transpose(1, 2)
        q, k, v = cut(self.query(hidden_state)), cut(self.key(hidden_state)), cut(self.value(hidden_state))
        s = q @ k.mT / (d // self.n) ** 0.5
        if mask is not None:
            s = s.masked_fill(mask.unsqueeze(1) == 0, float("-inf"))
        ctx = s.softmax(-1) @ v
        return self.dense(ctx.permute(0, 3, 1, 2).reshape(b, t, d))
