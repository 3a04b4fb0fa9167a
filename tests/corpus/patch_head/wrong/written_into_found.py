# wrong: writes into found
# named: changes_its_input
def patch_head(found, instead, head, num_heads):
    if found.shape != instead.shape or not 0 <= head < num_heads:
        raise ValueError("no")
    d = found.shape[-1] // num_heads
    found[..., head * d:(head + 1) * d] = instead[..., head * d:(head + 1) * d]
    return found
