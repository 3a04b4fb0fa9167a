# wrong: every num_heads-th feature
# named: interleaved
def patch_head(found, instead, head, num_heads):
    if found.shape != instead.shape or not 0 <= head < num_heads:
        raise ValueError("no")
    out = found.clone()
    out[..., head::num_heads] = instead[..., head::num_heads]
    return out
