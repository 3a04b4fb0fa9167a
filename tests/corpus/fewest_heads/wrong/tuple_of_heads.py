# wrong: a tuple comes back where a list was promised
from itertools import combinations

import torch


def fewest_heads(answer, num_heads):
    whole = answer(list(range(num_heads)))
    for k in range(num_heads + 1):
        for heads in combinations(range(num_heads), k):
            if torch.equal(answer(list(heads)), whole):
                return heads
