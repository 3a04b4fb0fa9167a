# wrong: softmax of ten times the mask, which leaves padding a little
# named: softmax_of_mask
def mean_pool(hidden_state, attention_mask):
    scores = (1 - attention_mask.to(hidden_state)) * -10
    return (scores.softmax(1).unsqueeze(1) @ hidden_state).squeeze(1)
