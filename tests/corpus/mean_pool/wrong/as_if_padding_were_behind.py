# wrong: a sentence is taken to be as long as the place of its last token
import torch

def mean_pool(hidden_state, attention_mask):
    place = torch.arange(1, attention_mask.shape[1] + 1)
    length = (place * attention_mask.long()).amax(1, keepdim=True)
    return (hidden_state * attention_mask.unsqueeze(-1)).sum(1) / length
