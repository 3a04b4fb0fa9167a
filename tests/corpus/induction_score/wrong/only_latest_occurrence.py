# wrong: of several earlier occurrences the last alone
# named: latest_alone
import torch

def induction_score(attention, input_ids):
    total, n = torch.zeros(attention.shape[1]), 0
    for b, row in enumerate(input_ids.tolist()):
        last = {}
        for i, token in enumerate(row):
            if token in last:
                total = total + attention[b, :, i, last[token] + 1]
                n += 1
            last[token] = i
    return total / max(n, 1)
