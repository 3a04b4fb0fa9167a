# wrong: attention mask softmaxed as weights
# named: softmax_of_mask
import torch
def mean_pool(hidden_state, attention_mask):
    w = torch.softmax(attention_mask.float(), dim=1)
    return torch.einsum("nt,nth->nh", w, hidden_state)
