# wrong: a buffer without a dtype, which is float32
# named: single_precision
import torch
def patch_head(found, instead, head, num_heads):
    if not 0 <= head < num_heads or found.shape != instead.shape:
        raise ValueError("no")
    d = found.shape[-1] // num_heads
    out = torch.zeros(found.shape)
    out[:] = found
    out[..., head * d:(head + 1) * d] = instead[..., head * d:(head + 1) * d]
    return out
