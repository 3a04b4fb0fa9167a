# wrong: a buffer without a dtype, which is float32
# named: single_precision
import torch
def split_heads(x, num_heads):
    b, s, h = x.shape
    d = h // num_heads
    out = torch.zeros(b, num_heads, s, d)
    for i in range(num_heads):
        out[:, i] = x[:, :, i * d:(i + 1) * d]
    return out
