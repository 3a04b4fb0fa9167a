# wrong: python list of layers
# named: not_registered
import torch
from torch import nn
class Layer(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.mha = nn.MultiheadAttention(c.hidden_size, c.num_attention_heads, batch_first=True)
        self.n1, self.n2 = nn.LayerNorm(c.hidden_size, c.layer_norm_eps), nn.LayerNorm(c.hidden_size, c.layer_norm_eps)
        self.up, self.down = nn.Linear(c.hidden_size, c.intermediate_size), nn.Linear(c.intermediate_size, c.hidden_size)
        self.drop = nn.Dropout(c.hidden_dropout_prob)
    def forward(self, x, pad):
        y = self.n1(x)
        x = x + self.mha(y, y, y, key_padding_mask=pad)[0]
        return x + self.drop(self.down(nn.functional.gelu(self.up(self.n2(x)))))
class TransformerEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.tok, self.pos, self.typ = nn.Embedding(config.vocab_size, d), nn.Embedding(config.max_position_embeddings, d), nn.Embedding(config.type_vocab_size, d)
        self.norm = nn.LayerNorm(d, config.layer_norm_eps)
        self.drop = nn.Dropout(config.hidden_dropout_prob)
        self.layers = [Layer(config) for _ in range(config.num_hidden_layers)]
        self.last = nn.LayerNorm(d, config.layer_norm_eps)
    def forward(self, input_ids, mask=None):
        pos = torch.arange(input_ids.shape[1], device=input_ids.device)
        x = self.drop(self.norm(self.tok(input_ids) + self.pos(pos) + self.typ(torch.zeros_like(input_ids))))
        pad = None if mask is None else mask.logical_not()
        for layer in self.layers:
            x = layer(x, pad)
        return self.last(x)
class TransformerForSequenceClassification(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.backbone = TransformerEncoder(config)
        self.head = nn.ModuleDict({"drop": nn.Dropout(p=config.hidden_dropout_prob), "fc": nn.Linear(config.hidden_size, config.num_labels)})
    def forward(self, input_ids, mask=None):
        h = self.backbone(input_ids, mask)
        idx = torch.zeros(h.size(0), 1, h.size(2), dtype=torch.long, device=h.device)
        cls = h.gather(1, idx).squeeze(1)
        return self.head["fc"](self.head["drop"](cls))
