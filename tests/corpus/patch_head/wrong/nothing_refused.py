# wrong: a head that is not there changes nothing
# named: not_refused, other_shape
def patch_head(found, instead, head, num_heads):
    d = found.shape[-1] // num_heads
    out = found.clone()
    out[..., head * d:(head + 1) * d] = instead[..., head * d:(head + 1) * d]
    return out
