# right: one flat ParameterDict for everything, fused [heads, 3, dim, d] projection
import torch
from torch import nn
import torch.nn.functional as F

class PostNormEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, f, h = config.hidden_size, config.intermediate_size, config.num_attention_heads
        self.cfg = (h, d // h, config.layer_norm_eps, config.hidden_dropout_prob)
        r = lambda *s: nn.Parameter(torch.randn(*s) * 0.02)
        z = lambda *s: nn.Parameter(torch.zeros(*s))
        o = lambda *s: nn.Parameter(torch.ones(*s))
        self.theta = nn.ParameterDict(dict(
            ln2_g=o(d), ln2_b=z(d), ln1_g=o(d), ln1_b=z(d),
            ff2_w=r(d, f), ff2_b=z(d), ff1_w=r(f, d), ff1_b=z(f),
            out_w=r(d, d), out_b=z(d), qkv_w=r(h, 3, d // h, d), qkv_b=z(h, 3, d // h)))

    def forward(self, x, mask=None):
        h, dim, eps, p = self.cfg
        t = self.theta
        qkv = torch.einsum("htkd,bsd->tbhsk", t["qkv_w"], x) + t["qkv_b"].transpose(0, 1)[:, None, :, None, :]
        q, k, v = qkv
        a = q @ k.transpose(-1, -2) * dim ** -0.5
        if mask is not None:
            a = torch.where(mask.unsqueeze(1) != 0, a, a.new_tensor(float("-inf")))
        c = (a.softmax(-1) @ v).permute(0, 2, 1, 3).flatten(2)
        y = F.dropout(F.linear(c, t["out_w"], t["out_b"]), p, self.training)
        x = F.layer_norm(x + y, x.shape[-1:], t["ln1_g"], t["ln1_b"], eps)
        y = F.linear(F.gelu(F.linear(x, t["ff1_w"], t["ff1_b"])), t["ff2_w"], t["ff2_b"])
        return F.layer_norm(x + F.dropout(y, p, self.training), x.shape[-1:], t["ln2_g"], t["ln2_b"], eps)
