# wrong: gelu tanh
# named: gelu_tanh
import torch
import torch.nn as nn
from functools import partial

class Mlp(nn.Module):
    def __init__(self, in_features, hidden_features=None, out_features=None, act_layer=nn.GELU, drop=0.):
        super().__init__()
        out_features = out_features or in_features
        self.fc1 = nn.Linear(in_features, hidden_features)
        self.act = act_layer(approximate='tanh')
        self.drop1 = nn.Identity()
        self.norm = nn.Identity()
        self.fc2 = nn.Linear(hidden_features, out_features)
        self.drop2 = nn.Dropout(drop)
    def forward(self, x):
        return self.drop2(self.fc2(self.norm(self.drop1(self.act(self.fc1(x))))))

class Attention(nn.Module):
    def __init__(self, dim, num_heads=8, qkv_bias=True):
        super().__init__()
        self.num_heads = num_heads
        self.head_dim = dim // num_heads
        self.scale = self.head_dim ** -0.5
        self.qkv = nn.Linear(dim, dim * 3, bias=qkv_bias)
        self.q_norm, self.k_norm = nn.Identity(), nn.Identity()
        self.proj = nn.Linear(dim, dim)
    def forward(self, x, mask=None):
        B, N, C = x.shape
        qkv = self.qkv(x).reshape(B, N, 3, self.num_heads, self.head_dim).permute(2, 0, 3, 1, 4)
        q, k, v = qkv.unbind(0)
        q, k = self.q_norm(q) * self.scale, self.k_norm(k)
        attn = q @ k.transpose(-2, -1)
        if mask is not None:
            attn = attn.masked_fill(mask.unsqueeze(-3) == 0, torch.finfo(attn.dtype).min)
        attn = attn.softmax(dim=-1)
        x = (attn @ v).transpose(1, 2).reshape(B, N, C)
        return self.proj(x)

class TransformerEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        norm_layer = partial(nn.LayerNorm, eps=config.layer_norm_eps)
        self.norm1 = norm_layer(config.hidden_size)
        self.attn = Attention(config.hidden_size, config.num_attention_heads)
        self.drop_path1 = nn.Identity()
        self.norm2 = norm_layer(config.hidden_size)
        self.mlp = Mlp(config.hidden_size, config.intermediate_size, drop=config.hidden_dropout_prob)
        self.drop_path2 = nn.Identity()
    def forward(self, x, mask=None):
        x = x + self.drop_path1(self.attn(self.norm1(x), mask))
        x = x + self.drop_path2(self.mlp(self.norm2(x)))
        return x
