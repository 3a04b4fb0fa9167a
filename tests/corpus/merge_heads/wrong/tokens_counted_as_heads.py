# wrong: joins as many heads as there are tokens
# named: tokens_for_heads
import torch
def merge_heads(x):
    b, h, s, d = x.shape
    return torch.cat([x[:, i] for i in range(s)], -1)
