# wrong: refuses too large heads alone
# named: not_refused
def patch_head(found, instead, head, num_heads):
    if head >= num_heads:
        raise ValueError("no such head")
    if found.shape != instead.shape:
        raise ValueError("shapes differ")
    d = found.shape[-1] // num_heads
    out = found.clone()
    out[..., head * d:(head + 1) * d] = instead[..., head * d:(head + 1) * d]
    return out
