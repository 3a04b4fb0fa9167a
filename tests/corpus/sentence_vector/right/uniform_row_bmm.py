# right: matrix product with a uniform row, as a bmm
import torch
def sentence_vector(hidden_state):
    b, n, _ = hidden_state.size()
    w = hidden_state.new_full((b, 1, n), 1.0 / n)
    return torch.bmm(w, hidden_state).squeeze(1)
