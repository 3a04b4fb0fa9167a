# wrong: softmax on the logits, nn.TransformerEncoderLayer below
# named: logits_softmax
import torch
from torch import nn

class TransformerForSequenceClassification(nn.Module):
    def __init__(self, config):
        super().__init__()
        c, d = config, config.hidden_size
        self.tok, self.pos = nn.Embedding(c.vocab_size, d), nn.Embedding(c.max_position_embeddings, d)
        self.norm, self.drop = nn.LayerNorm(d, eps=c.layer_norm_eps), nn.Dropout(c.hidden_dropout_prob)
        self.layers = nn.ModuleList(nn.TransformerEncoderLayer(
            d, c.num_attention_heads, c.intermediate_size, c.hidden_dropout_prob, "gelu", c.layer_norm_eps,
            batch_first=True, norm_first=True) for _ in range(c.num_hidden_layers))
        self.head = nn.Linear(d, c.num_labels)

    def forward(self, input_ids, mask=None):
        x = self.tok(input_ids) + self.pos(torch.arange(input_ids.shape[1], device=input_ids.device))
        x = self.drop(self.norm(x))
        for layer in self.layers:
            x = layer(x, src_key_padding_mask=None if mask is None else mask == 0)
        return self.head(self.drop(x[:, 0])).softmax(-1)
