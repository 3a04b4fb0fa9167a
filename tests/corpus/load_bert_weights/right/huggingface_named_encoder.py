# right: HF-named BertEncoder, key sets compared, copies under no_grad
import torch
from torch import nn
import torch.nn.functional as F
def _seq(**kw):
    m = nn.Module()
    for k, v in kw.items():
        m.add_module(k, v)
    return m
class BertEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, f, e = config.hidden_size, config.intermediate_size, config.layer_norm_eps
        self.h, self.p = config.num_attention_heads, config.hidden_dropout_prob
        ln = lambda: nn.LayerNorm(d, e)
        self.embeddings = _seq(word_embeddings=nn.Embedding(config.vocab_size, d), position_embeddings=nn.Embedding(config.max_position_embeddings, d), token_type_embeddings=nn.Embedding(config.type_vocab_size, d), LayerNorm=ln())
        layer = lambda: _seq(
            attention=_seq(self=_seq(query=nn.Linear(d, d), key=nn.Linear(d, d), value=nn.Linear(d, d)), output=_seq(dense=nn.Linear(d, d), LayerNorm=ln())),
            intermediate=_seq(dense=nn.Linear(d, f)), output=_seq(dense=nn.Linear(f, d), LayerNorm=ln()))
        self.encoder = _seq(layer=nn.ModuleList([layer() for _ in range(config.num_hidden_layers)]))
    def forward(self, input_ids, attention_mask=None, token_type_ids=None):
        drop = lambda z: F.dropout(z, self.p, self.training)
        em = self.embeddings
        s = torch.zeros_like(input_ids) if token_type_ids is None else token_type_ids
        x = drop(em.LayerNorm(em.word_embeddings(input_ids) + em.position_embeddings(torch.arange(input_ids.size(1))) + em.token_type_embeddings(s)))
        m = None if attention_mask is None else attention_mask.bool()[:, None, None]
        for l in self.encoder.layer:
            at = l.attention
            sa = getattr(at, "self")
            q, k, v = (g(x).unflatten(-1, (self.h, -1)).transpose(1, 2) for g in (sa.query, sa.key, sa.value))
            a = F.scaled_dot_product_attention(q, k, v, m).transpose(1, 2).flatten(2)
            x = at.output.LayerNorm(x + drop(at.output.dense(a)))
            x = l.output.LayerNorm(x + drop(l.output.dense(F.gelu(l.intermediate.dense(x)))))
        return x
IGNORED = frozenset({"embeddings.position_ids", "pooler.dense.weight", "pooler.dense.bias"})
def load_bert_weights(model, state_dict):
    def modern(k):
        k = k[5:] if k.startswith("bert.") else k
        for old, new in ((".gamma", ".weight"), (".beta", ".bias")):
            if k.endswith("LayerNorm" + old):
                k = k[: -len(old)] + new
        return k
    names = [modern(k) for k in state_dict]
    problems = sorted({n for n in names if names.count(n) > 1})
    given = {modern(k): v for k, v in state_dict.items() if modern(k) not in IGNORED}
    own = dict(model.named_parameters())
    problems += sorted(own.keys() ^ given.keys())
    problems += [f"{k}: {tuple(given[k].shape)} for {tuple(own[k].shape)}" for k in own.keys() & given.keys() if own[k].shape != given[k].shape]
    if problems:
        raise ValueError("; ".join(problems))
    with torch.no_grad():
        for k, p in own.items():
            p.copy_(given[k])
