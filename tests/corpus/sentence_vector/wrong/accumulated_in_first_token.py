# wrong: the other tokens are added to the first one in place
# named: changes_its_input
def sentence_vector(hidden_state):
    total = hidden_state[:, 0]
    for i in range(1, hidden_state.shape[1]):
        total += hidden_state[:, i]
    return total / hidden_state.shape[1]
