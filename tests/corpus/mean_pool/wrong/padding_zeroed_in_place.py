# wrong: padding is set to 0 in the hidden state that was given
# named: changes_its_input
def mean_pool(hidden_state, attention_mask):
    real = attention_mask.bool()
    hidden_state.data[~real] = 0
    return hidden_state.sum(1) / real.sum(1, keepdim=True)
