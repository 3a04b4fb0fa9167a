# wrong: causal loop up to t, first row sees nothing (zeros)
# named: causal_without_self
import torch
import torch.nn as nn


class Head(nn.Module):
    def __init__(self, emb, head):
        super().__init__()
        self.wq = nn.Linear(emb, head)
        self.wk = nn.Linear(emb, head)
        self.wv = nn.Linear(emb, head)
        self.size = head

    def forward(self, x, y, mask=None, causal=False):
        q, k, v = self.wq(x), self.wk(y), self.wv(y)
        score = torch.bmm(q, k.permute(0, 2, 1)) / (self.size ** 0.5)
        if causal:
            rows = []
            for t in range(x.shape[1]):
                w = torch.softmax(score[:, t, :t], dim=-1)
                rows.append(torch.bmm(w.unsqueeze(1), v[:, :t]).squeeze(1))
            return torch.stack(rows, dim=1)
        if mask is not None:
            score = score.masked_fill(mask == 0, -1e20)
        return torch.bmm(torch.softmax(score, dim=-1), v)


class Multi(nn.Module):
    def __init__(self, emb, heads, causal):
        super().__init__()
        self.causal = causal
        self.hs = nn.ModuleList([Head(emb, emb // heads) for _ in range(heads)])
        self.lin = nn.Linear(emb, emb)

    def forward(self, x, y, mask=None):
        return self.lin(torch.cat([h(x, y, mask, self.causal) for h in self.hs], dim=-1))


class TransformerDecoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        e = config.hidden_size
        self.self_attention = Multi(e, config.num_attention_heads, True)
        self.cross_attention = Multi(e, config.num_attention_heads, False)
        self.fc = nn.Sequential(nn.Linear(e, config.intermediate_size), nn.GELU(), nn.Linear(config.intermediate_size, e))
        self.n1 = nn.LayerNorm(e, config.layer_norm_eps)
        self.n2 = nn.LayerNorm(e, config.layer_norm_eps)
        self.n3 = nn.LayerNorm(e, config.layer_norm_eps)
        self.do = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, hidden_state, memory, memory_mask=None):
        h = hidden_state.clone()
        n = self.n1(h)
        h = h + self.self_attention(n, n)
        n = self.n2(h)
        h = h + self.cross_attention(n, memory, memory_mask)
        n = self.n3(h)
        h = h + self.do(self.fc(n))
        return h
