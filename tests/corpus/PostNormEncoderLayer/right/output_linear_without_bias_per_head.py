# right: every head has an output Linear of its own without bias, results summed
import torch
from torch import nn
class HeadWithOut(nn.Module):
    def __init__(self, D, d):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(D, d), nn.Linear(D, d), nn.Linear(D, d)
        self.o = nn.Linear(d, D, bias=False)
    def forward(self, x, y, mask):
        s = self.q(x) @ self.k(y).transpose(1, 2) / self.q.out_features ** 0.5
        if mask is not None:
            s = s.masked_fill(mask == 0, float("-inf"))
        return self.o(s.softmax(-1) @ self.v(y))

class PostNormEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        D, H = config.hidden_size, config.num_attention_heads
        self.heads = nn.ModuleList(HeadWithOut(D, D // H) for _ in range(H))
        self.ln1, self.ln2 = nn.LayerNorm(D, config.layer_norm_eps), nn.LayerNorm(D, config.layer_norm_eps)
        self.f1, self.f2 = nn.Linear(D, config.intermediate_size), nn.Linear(config.intermediate_size, D)
        self.drop = nn.Dropout(config.hidden_dropout_prob)
    def forward(self, x, mask=None):
        x = self.ln1(x + self.drop(sum(h(x, x, mask) for h in self.heads)))
        return self.ln2(x + self.drop(self.f2(nn.functional.gelu(self.f1(x)))))
