# right: a clone and a slice
def patch_head(found, instead, head, num_heads):
    if head < 0 or head >= num_heads:
        raise ValueError("no such head")
    if found.shape != instead.shape:
        raise ValueError("shapes")
    d = found.size(-1) // num_heads
    out = found.clone()
    out[:, :, head * d : head * d + d] = instead[:, :, head * d : head * d + d]
    return out
