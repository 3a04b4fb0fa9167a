# wrong: einsum sums, never divides
# named: summed
import torch
def sentence_vector(hidden_state):
    return torch.einsum("nlc->nc", hidden_state)
