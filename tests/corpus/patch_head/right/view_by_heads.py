# right: an axis of heads, cloned and put back
def patch_head(found, instead, head, num_heads):
    if found.shape != instead.shape:
        raise ValueError
    if head < 0 or head > num_heads - 1:
        raise ValueError
    batch, seq, hidden = found.shape
    mine = found.reshape(batch, seq, num_heads, -1).clone()
    theirs = instead.reshape(batch, seq, num_heads, -1)
    mine[:, :, head] = theirs[:, :, head]
    return mine.reshape(batch, seq, hidden)
