# wrong: refuses another run by how many numbers it has, not by its shape
def patch_head(found, instead, head, num_heads):
    if head < 0 or head >= num_heads:
        raise ValueError("no such head")
    if found.numel() != instead.numel():
        raise ValueError("another shape")
    size = found.shape[-1] // num_heads
    out = found.clone()
    out[:, :, head * size : (head + 1) * size] = instead[:, :, head * size : (head + 1) * size]
    return out
