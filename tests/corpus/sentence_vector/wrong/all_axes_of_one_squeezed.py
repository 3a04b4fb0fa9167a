# wrong: every axis of length 1 is squeezed away, that of a batch of one too
def sentence_vector(hidden_state):
    return hidden_state.mean(dim=1, keepdim=True).squeeze()
