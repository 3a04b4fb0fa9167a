# wrong: sentences and heads lie in the batch sentence by sentence, but are taken apart head by head, so sentences mix
# named: heads_taken_for_sentences
from torch import nn

from kit.earlier import scaled_dot_product_attention


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        if config.hidden_size % config.num_attention_heads:
            raise ValueError("hidden_size must be a multiple of num_attention_heads")
        self.heads = config.num_attention_heads
        width = config.hidden_size
        self.wq = nn.Linear(width, width)
        self.wk = nn.Linear(width, width)
        self.wv = nn.Linear(width, width)
        self.wo = nn.Linear(width, width)

    def forward(self, hidden_state, mask=None):
        batch = hidden_state.shape[0]
        q, k, v = (
            split_heads(project(hidden_state), self.heads).flatten(0, 1)   # [batch * heads, seq, d]
            for project in (self.wq, self.wk, self.wv)
        )
        if mask is not None:
            mask = mask.repeat_interleave(self.heads, dim=0)
        found = scaled_dot_product_attention(q, k, v, mask)
        found = found.unflatten(0, (self.heads, batch)).transpose(0, 1)
        return self.wo(merge_heads(found))
