# wrong: mask without unsqueeze
# named: no_axis
def mean_pool(hidden_state, attention_mask):
    return (hidden_state * attention_mask).sum(1) / attention_mask.sum(1)
