# right: heads stacked in Parameters [H,D,d], per-head output matrices summed
import torch
from torch import nn
class PostNormEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        D, H = config.hidden_size, config.num_attention_heads
        d = D // H
        self.Wq = nn.ParameterList([nn.Parameter(torch.randn(D, d) / D ** .5) for _ in range(H)])
        self.Wk = nn.ParameterList([nn.Parameter(torch.randn(D, d) / D ** .5) for _ in range(H)])
        self.Wv = nn.ParameterList([nn.Parameter(torch.randn(D, d) / D ** .5) for _ in range(H)])
        self.Wo = nn.ParameterList([nn.Parameter(torch.randn(d, D) / D ** .5) for _ in range(H)])
        self.norm_a = nn.LayerNorm(D, config.layer_norm_eps)
        self.norm_b = nn.LayerNorm(D, config.layer_norm_eps)
        self.fc1 = nn.Linear(D, config.intermediate_size)
        self.fc2 = nn.Linear(config.intermediate_size, D)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
    def forward(self, x, mask=None):
        att = 0
        for wq, wk, wv, wo in zip(self.Wq, self.Wk, self.Wv, self.Wo):
            s = (x @ wq) @ (x @ wk).mT / wq.shape[1] ** .5
            if mask is not None:
                s = torch.where(mask.bool(), s, torch.tensor(float("-inf"), device=s.device))
            att = att + s.softmax(-1) @ (x @ wv) @ wo
        x = self.norm_a(x + self.dropout(att))
        y = self.fc2(torch.nn.functional.gelu(self.fc1(x)))
        return self.norm_b(x + self.dropout(y))
