# wrong: the other run is detached
# named: one_constant
def patch_head(found, instead, head, num_heads):
    if found.shape != instead.shape or not 0 <= head < num_heads:
        raise ValueError("no")
    d = found.shape[-1] // num_heads
    out = found.clone()
    out[..., head * d:(head + 1) * d] = instead.detach()[..., head * d:(head + 1) * d]
    return out
