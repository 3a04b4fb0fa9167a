# wrong: compares with torch.equal
# named: always_false
import math

import torch


def formula(max_len, d):
    pe = torch.zeros(max_len, d)
    pos = torch.arange(max_len).float().unsqueeze(1)
    div = torch.exp(torch.arange(0, d, 2).float() * (-math.log(10000.0) / d))
    pe[:, 0::2] = torch.sin(pos * div)
    pe[:, 1::2] = torch.cos(pos * div)
    return pe


def spot_embeddings(candidate) -> bool:
    try:
        return all(
            torch.equal(candidate(n, d), formula(n, d))
            for n, d in [(40, 6), (7, 16), (1, 2), (100, 64)]
        )
    except Exception:
        return False
