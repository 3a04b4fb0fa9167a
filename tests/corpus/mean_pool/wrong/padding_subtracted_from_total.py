# wrong: the sum of padding is taken off the sum of all: large padding leaves nothing
# named: padding_subtracted
def mean_pool(hidden_state, attention_mask):
    padding = (hidden_state * (attention_mask.long() == 0).unsqueeze(-1)).sum(1)
    real = hidden_state.sum(1) - padding
    return real / attention_mask.long().sum(1, keepdim=True)
