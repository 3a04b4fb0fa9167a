# right: PyTorch's own ε in every norm
import torch
from torch import nn

class EinsumDense(nn.Module):
    def __init__(self, equation, shape, bias_shape):
        super().__init__()
        self.equation = equation
        self.kernel = nn.Parameter(torch.nn.init.normal_(torch.empty(shape), std=0.02))
        self.bias = nn.Parameter(torch.zeros(bias_shape))
    def forward(self, x):
        return torch.einsum(self.equation, x, self.kernel) + self.bias

class KerasMultiHeadAttention(nn.Module):
    def __init__(self, num_heads, key_dim, dim):
        super().__init__()
        self._query_dense = EinsumDense("abc,cde->abde", (dim, num_heads, key_dim), (num_heads, key_dim))
        self._key_dense = EinsumDense("abc,cde->abde", (dim, num_heads, key_dim), (num_heads, key_dim))
        self._value_dense = EinsumDense("abc,cde->abde", (dim, num_heads, key_dim), (num_heads, key_dim))
        self._output_dense = EinsumDense("abcd,cde->abe", (num_heads, key_dim, dim), (dim,))
        self._inverse_sqrt_key_dim = 1.0 / float(key_dim) ** 0.5
    def forward(self, query, value, attention_mask=None):
        q = self._query_dense(query) * self._inverse_sqrt_key_dim
        k = self._key_dense(value)
        v = self._value_dense(value)
        scores = torch.einsum("aecd,abcd->acbe", k, q)
        if attention_mask is not None:
            while attention_mask.dim() < 3:
                attention_mask = attention_mask.unsqueeze(0)
            scores = scores + (1.0 - attention_mask.unsqueeze(1).float()) * -1e9
        scores = torch.softmax(scores, -1)
        return self._output_dense(torch.einsum("acbe,aecd->abcd", scores, v))

class PostNormEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.att = KerasMultiHeadAttention(config.num_attention_heads, d // config.num_attention_heads, d)
        self.ffn = nn.Sequential(nn.Linear(d, config.intermediate_size), nn.GELU(), nn.Linear(config.intermediate_size, d))
        self.layernorm1 = nn.LayerNorm(d)
        self.layernorm2 = nn.LayerNorm(d)
        self.dropout1 = nn.Dropout(config.hidden_dropout_prob)
        self.dropout2 = nn.Dropout(config.hidden_dropout_prob)
    def forward(self, inputs, mask=None):
        attn_output = self.dropout1(self.att(inputs, inputs, mask))
        out1 = self.layernorm1(inputs + attn_output)
        ffn_output = self.dropout2(self.ffn(out1))
        return self.layernorm2(out1 + ffn_output)
