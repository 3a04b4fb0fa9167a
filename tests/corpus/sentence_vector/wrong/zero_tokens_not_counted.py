# wrong: a token whose vector is 0 is taken for padding and not counted
def sentence_vector(hidden_state):
    real = (hidden_state != 0).any(dim=-1, keepdim=True).float()
    return (hidden_state * real).sum(dim=1) / real.sum(dim=1)
