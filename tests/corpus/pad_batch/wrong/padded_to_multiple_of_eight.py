# wrong: pads to a multiple of eight
# named: wider_than_longest
import torch
def pad_batch(sequences, pad_id):
    n = -(-max(map(len, sequences)) // 8) * 8
    return torch.tensor([r + [pad_id] * (n - len(r)) for r in sequences]), torch.tensor([[1] * len(r) + [0] * (n - len(r)) for r in sequences])
