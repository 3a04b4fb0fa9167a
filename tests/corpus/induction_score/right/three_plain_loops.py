# right: loops over sequences, queries and keys
import torch

def induction_score(attention, input_ids):
    B, H, S, _ = attention.shape
    total = torch.zeros(H)
    n = 0
    for b in range(B):
        row = input_ids[b].tolist()
        for i in range(S):
            targets = [j + 1 for j in range(i) if row[j] == row[i]]
            if targets:
                n += 1
                total = total + attention[b, :, i, targets].sum(-1)
    return total / n if n else total
