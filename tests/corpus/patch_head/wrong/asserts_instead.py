# wrong: asserts, where a ValueError was promised
def patch_head(found, instead, head, num_heads):
    assert 0 <= head < num_heads
    assert found.shape == instead.shape
    d = found.shape[-1] // num_heads
    out = found.clone()
    out[..., head * d:(head + 1) * d] = instead[..., head * d:(head + 1) * d]
    return out
