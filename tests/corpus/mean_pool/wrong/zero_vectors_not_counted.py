# wrong: a real token whose vector is 0 is not counted
def mean_pool(hidden_state, attention_mask):
    x = hidden_state * attention_mask.unsqueeze(-1)
    count = (x != 0).any(-1).sum(1, keepdim=True).clamp(min=1)
    return x.sum(1) / count
