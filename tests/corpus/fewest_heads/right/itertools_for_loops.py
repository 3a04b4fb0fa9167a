# right: sizes from none to all, itertools for the sets of one size
import itertools

import torch


def fewest_heads(answer, num_heads):
    target = answer(list(range(num_heads)))
    for size in range(num_heads + 1):
        for combo in itertools.combinations(range(num_heads), size):
            if torch.equal(target, answer(list(combo))):
                return list(combo)
