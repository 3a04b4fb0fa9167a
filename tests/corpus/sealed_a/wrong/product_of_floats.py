# wrong: a product with a matrix of floats, which large tokens do not outlast
# named: rounded
import torch
def sealed_a(rows):
    n = rows.shape[1]
    return (rows.float() @ torch.eye(n).flip(0)).long()
