# wrong: sums divided by the batch's total of tokens
# named: by_batch_count
import torch
def mean_pool(hidden_state, attention_mask):
    m = attention_mask.to(hidden_state).unsqueeze(-1)
    return (hidden_state * m).sum(1).div(m.sum())
