# right: nanoGPT encoder + head
import math
import torch
from torch import nn
from torch.nn import functional as F

class Attn(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c_attn = nn.Linear(c.hidden_size, 3 * c.hidden_size)
        self.c_proj = nn.Linear(c.hidden_size, c.hidden_size)
        self.n_head = c.num_attention_heads
    def forward(self, x, bias):
        B, T, C = x.size()
        q, k, v = (t.view(B, T, self.n_head, -1).transpose(1, 2) for t in self.c_attn(x).split(C, dim=2))
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        if bias is not None:
            att = att.masked_fill(bias == 0, float('-inf'))
        y = F.softmax(att, dim=-1) @ v
        return self.c_proj(y.transpose(1, 2).contiguous().view(B, T, C))

class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.ln_1 = nn.LayerNorm(c.hidden_size, eps=c.layer_norm_eps)
        self.attn = Attn(c)
        self.ln_2 = nn.LayerNorm(c.hidden_size, eps=c.layer_norm_eps)
        self.mlp = nn.ModuleDict(dict(
            c_fc=nn.Linear(c.hidden_size, c.intermediate_size),
            c_proj=nn.Linear(c.intermediate_size, c.hidden_size),
            act=nn.GELU(),
            dropout=nn.Dropout(c.hidden_dropout_prob)))
        m = self.mlp
        self.mlpf = lambda x: m.dropout(m.c_proj(m.act(m.c_fc(x))))
    def forward(self, x, bias):
        x = x + self.attn(self.ln_1(x), bias)
        x = x + self.mlpf(self.ln_2(x))
        return x

class Encoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.transformer = nn.ModuleDict(dict(
            wte=nn.Embedding(config.vocab_size, config.hidden_size),
            wpe=nn.Embedding(config.max_position_embeddings, config.hidden_size),
            wse=nn.Embedding(config.type_vocab_size, config.hidden_size),
            ln_e=nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps),
            drop=nn.Dropout(config.hidden_dropout_prob),
            h=nn.ModuleList([Block(config) for _ in range(config.num_hidden_layers)]),
            ln_f=nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps),
        ))
    def forward(self, idx, mask=None):
        b, t = idx.size()
        pos = torch.arange(0, t, dtype=torch.long, device=idx.device)
        tr = self.transformer
        x = tr.wte(idx) + tr.wpe(pos) + tr.wse(torch.zeros_like(idx))
        x = tr.drop(tr.ln_e(x))
        if mask is not None:
            mask = mask.view(b, 1, 1, t)
        for block in tr.h:
            x = block(x, mask)
        return tr.ln_f(x)

class TransformerForSequenceClassification(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.encoder = Encoder(config)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        self.classifier = nn.Linear(config.hidden_size, config.num_labels)
    def forward(self, input_ids, mask=None):
        x = self.encoder(input_ids, mask)
        x = x[:, 0, :]
        return self.classifier(self.dropout(x))
