# wrong: keeps overwriting the best, so the last of equal size wins
# named: last_of_equals
from itertools import combinations

import torch


def fewest_heads(answer, num_heads):
    whole = answer(list(range(num_heads)))
    for k in range(num_heads + 1):
        best = None
        for heads in combinations(range(num_heads), k):
            if torch.equal(answer(list(heads)), whole):
                best = list(heads)
        if best is not None:
            return best
