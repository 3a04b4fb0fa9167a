# wrong: head taken as the token's index
# named: one_token
def patch_head(found, instead, head, num_heads):
    if found.shape != instead.shape or not 0 <= head < num_heads:
        raise ValueError("no")
    out = found.clone()
    out[:, head] = instead[:, head]
    return out
