# wrong: unfold-like reshape: features before heads
# named: interleaved
import torch
def split_heads(x, num_heads):
    hd = x.size(-1) // num_heads
    parts = [x[..., h::num_heads] for h in range(num_heads)]
    assert parts[0].size(-1) == hd
    return torch.stack(parts, dim=1)
