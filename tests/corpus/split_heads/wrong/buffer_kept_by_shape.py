# wrong: a buffer is kept for each shape, and never filled anew
# named: earlier_call_counts
_buffers = {}

def split_heads(x, num_heads):
    place = (tuple(x.shape), num_heads)
    if place not in _buffers:
        _buffers[place] = x.view(*x.shape[:2], num_heads, -1).permute(0, 2, 1, 3)
    return _buffers[place]
