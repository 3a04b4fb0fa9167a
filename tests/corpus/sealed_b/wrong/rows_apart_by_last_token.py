# wrong: rows are told apart by 10**15 for each, one too little: the token 10**15 of a row is the token 0 of the next
import torch


def sealed_b(rows):
    flat = (rows + torch.arange(len(rows)).unsqueeze(1) * 10**15).flatten().tolist()
    seen, out = set(), []
    for token in flat:
        out.append(int(token in seen))
        seen.add(token)
    return torch.tensor(out).view(rows.shape)
