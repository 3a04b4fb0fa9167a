# wrong: 10,000 is taken off hidden scores: a hidden score of 20,000 wins
import torch

def masked_softmax(scores, mask):
    return torch.softmax(scores - 10000.0 * (mask == 0), dim=-1)
