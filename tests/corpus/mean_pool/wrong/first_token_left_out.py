# wrong: leaves [CLS] out of the mean
def mean_pool(hidden_state, attention_mask):
    m = attention_mask.clone().to(hidden_state.dtype)
    m[:, 0] = 0
    return (hidden_state * m[..., None]).sum(1) / m.sum(1, keepdim=True).clamp(min=1)
