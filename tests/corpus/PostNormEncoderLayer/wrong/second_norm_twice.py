# wrong: norm2 once more (norm applied twice in a row)
# named: norm_once_more
from torch import nn
import torch.nn.functional as F


class PostNormEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d_model, nhead = config.hidden_size, config.num_attention_heads
        self.nhead = nhead
        self.self_attn = nn.MultiheadAttention(d_model, nhead, dropout=0.0, batch_first=True)
        self.linear1 = nn.Linear(d_model, config.intermediate_size)
        self.linear2 = nn.Linear(config.intermediate_size, d_model)
        self.norm1 = nn.LayerNorm(d_model, eps=config.layer_norm_eps)
        self.norm2 = nn.LayerNorm(d_model, eps=config.layer_norm_eps)
        self.dropout1 = nn.Dropout(config.hidden_dropout_prob)
        self.dropout2 = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, src, src_mask=None):
        if src_mask is not None:
            src_mask = src_mask.eq(0).expand(src.size(0), src.size(1), -1)
            src_mask = src_mask.unsqueeze(1).expand(-1, self.nhead, -1, -1).flatten(0, 1)
        src2 = self.self_attn(src, src, src, attn_mask=src_mask)[0]
        src = src + self.dropout1(src2)
        src = self.norm1(src)
        src2 = self.linear2(F.gelu(self.linear1(src)))
        src = src + self.dropout2(src2)
        src = self.norm2(src)
        src = self.norm2(src)
        return src
