# wrong: second residual adds the layer's input, one flat ParameterList
# named: second_residual_from_start
import torch
from torch import nn
import torch.nn.functional as F

class PostNormEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, f = config.hidden_size, config.intermediate_size
        self.h, self.e, self.p = config.num_attention_heads, config.layer_norm_eps, config.hidden_dropout_prob
        self.P = nn.ParameterList([nn.Parameter(torch.randn(*s) * 0.1) for s in [(d, d)] * 4 + [(f, d), (f,), (d, f), (d,)]])
        self.N = nn.ParameterList([nn.Parameter(v) for v in (torch.ones(d), torch.zeros(d), torch.ones(d), torch.zeros(d))])

    def forward(self, x, mask=None):
        q, k, v = (F.linear(x, w).unflatten(-1, (self.h, -1)).transpose(1, 2) for w in self.P[:3])
        a = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            a = a.masked_fill(mask.unsqueeze(1) == 0, float("-inf"))
        y = F.linear((a.softmax(-1) @ v).transpose(1, 2).flatten(2), self.P[3])
        y = F.layer_norm(x + F.dropout(y, self.p, self.training), y.shape[-1:], self.N[0], self.N[1], self.e)
        z = F.linear(F.gelu(F.linear(y, self.P[4], self.P[5])), self.P[6], self.P[7])
        return F.layer_norm(x + F.dropout(z, self.p, self.training), y.shape[-1:], self.N[2], self.N[3], self.e)
