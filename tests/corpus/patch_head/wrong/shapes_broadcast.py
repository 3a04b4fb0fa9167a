# wrong: one sentence is spread over the batch
# named: other_shape
def patch_head(found, instead, head, num_heads):
    if not 0 <= head < num_heads:
        raise ValueError("no such head")
    d = found.shape[-1] // num_heads
    out = found.clone()
    out[..., head * d:(head + 1) * d] = instead[..., head * d:(head + 1) * d]
    return out
