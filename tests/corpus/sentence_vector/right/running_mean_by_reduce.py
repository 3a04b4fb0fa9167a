# right: running mean by functools.reduce over unbound tokens
from functools import reduce
def sentence_vector(hidden_state):
    def update(state, token):
        n, mean = state
        n += 1
        return n, mean + (token - mean) / n
    first = hidden_state[:, 0] * 0
    return reduce(update, hidden_state.unbind(dim=1), (0, first))[1]
