# wrong: normalises the memory, and the second residual starts from the layer's input
# named: memory_normed, second_residual_from_start
from torch import nn


class TransformerDecoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.self_attention = MultiHeadAttention(config)
        self.cross_attention = CrossAttention(config)
        self.feed_forward = FeedForward(config)
        self.norm1 = LayerNorm(config.hidden_size, config.layer_norm_eps)
        self.norm2 = LayerNorm(config.hidden_size, config.layer_norm_eps)
        self.norm3 = LayerNorm(config.hidden_size, config.layer_norm_eps)

    def forward(self, hidden_state, memory, memory_mask=None):
        batch, seq, _ = hidden_state.shape
        past = causal_mask(seq).to(hidden_state.device).expand(batch, seq, seq)
        x = hidden_state + self.self_attention(self.norm1(hidden_state), past)

        asked = self.norm2(x)
        source = self.norm2(memory)
        answer = self.cross_attention(asked, source, memory_mask)
        x = hidden_state + answer

        return x + self.feed_forward(self.norm3(x))
