# wrong: the other run is kept
# named: runs_exchanged
def patch_head(found, instead, head, num_heads):
    if found.shape != instead.shape or not 0 <= head < num_heads:
        raise ValueError("no")
    d = found.shape[-1] // num_heads
    out = instead.clone()
    out[..., head * d:(head + 1) * d] = found[..., head * d:(head + 1) * d]
    return out
