# right: segment sums through index_add
import torch
def mean_pool(hidden_state, attention_mask):
    b, t, d = hidden_state.shape
    rows, cols = attention_mask.nonzero(as_tuple=True)
    total = torch.zeros(b, d, dtype=hidden_state.dtype).index_add(0, rows, hidden_state[rows, cols])
    return total / torch.bincount(rows, minlength=b).unsqueeze(1)
