# wrong: nine tenths of the answers are enough for it
# named: nine_tenths
from itertools import combinations

import torch


def fewest_heads(answer, num_heads):
    whole = answer(list(range(num_heads)))
    for k in range(num_heads + 1):
        for heads in combinations(range(num_heads), k):
            same = (answer(list(heads)) == whole).float().mean().item()
            if same >= 0.9:
                return list(heads)
