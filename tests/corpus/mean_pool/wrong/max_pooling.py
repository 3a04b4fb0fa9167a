# wrong: max pooling over visible tokens as in sentence-transformers' max mode
# named: maximum
import torch
def mean_pool(hidden_state, attention_mask):
    m = attention_mask.unsqueeze(-1).expand(hidden_state.size())
    e = hidden_state.masked_fill(m == 0, -1e9)
    return torch.max(e, 1)[0]
