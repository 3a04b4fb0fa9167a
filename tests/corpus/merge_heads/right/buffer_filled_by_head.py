# right: written into an empty buffer head by head
import torch
def merge_heads(x):
    b, h, s, d = x.shape
    columns = []
    for i in range(h):
        for j in range(d):
            columns.append(x[:, i, :, j])
    return torch.stack(columns, dim=-1)
