# wrong: never asks what happens when all are silent
# named: never_none
from itertools import combinations

import torch


def fewest_heads(answer, num_heads):
    whole = answer(list(range(num_heads)))
    for k in range(1, num_heads + 1):
        for heads in combinations(range(num_heads), k):
            if torch.equal(answer(list(heads)), whole):
                return list(heads)
