# wrong: isclose, whose tolerance grows with the tokens
# named: rounded
import torch
def sealed_b(rows):
    f = rows.float()
    same = torch.isclose(f.unsqueeze(2), f.unsqueeze(1))
    return same.tril(-1).any(-1).long()
