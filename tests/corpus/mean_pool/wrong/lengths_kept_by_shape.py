# wrong: the lengths of an earlier call of the same shape are used again
# named: earlier_call_counts
_counts = {}

def mean_pool(hidden_state, attention_mask):
    m = attention_mask.to(hidden_state.dtype).unsqueeze(-1)
    count = _counts.setdefault(tuple(attention_mask.shape), m.sum(1))
    return (hidden_state * m).sum(1) / count
