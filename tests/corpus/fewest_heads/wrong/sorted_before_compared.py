# wrong: compares answers in ascending order
# named: sums_alike
import torch
from itertools import combinations
def fewest_heads(answer, num_heads):
    every = list(range(num_heads))
    whole = answer(list(every))
    for n in range(num_heads + 1):
        for c in combinations(every, n):
            a = answer(list(c))
            if torch.equal(a.sort().values, whole.sort().values) if a.dim() else torch.equal(a, whole):
                return list(c)
