# wrong: looks at no more than six heads
from itertools import combinations

import torch


def fewest_heads(answer, num_heads):
    whole = answer(list(range(num_heads)))
    for count in range(min(num_heads, 6) + 1):
        for heads in combinations(range(num_heads), count):
            if torch.equal(answer(list(heads)), whole):
                return list(heads)
    return list(range(num_heads))
