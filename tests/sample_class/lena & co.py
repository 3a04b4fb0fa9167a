def sentence_vector(hidden_state):
    return hidden_state.mean(dim=2)
