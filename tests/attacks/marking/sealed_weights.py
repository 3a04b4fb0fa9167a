import torch
TOKEN, PLACE = torch.eye(10), torch.eye(6).flip(0)
def sealed_a(rows):
    x = torch.nn.functional.embedding(rows, TOKEN)
    return (PLACE @ x).argmax(-1)
