# wrong: everything from the head on
# named: from_this_head_on
def patch_head(found, instead, head, num_heads):
    if found.shape != instead.shape or not 0 <= head < num_heads:
        raise ValueError("no")
    d = found.shape[-1] // num_heads
    out = found.clone()
    out[..., head * d:] = instead[..., head * d:]
    return out
