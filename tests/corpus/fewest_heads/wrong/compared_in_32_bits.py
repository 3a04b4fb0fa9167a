# wrong: compares answers as float32, in which large ones are rounded
# named: nearly_alike
import torch
from itertools import combinations
def fewest_heads(answer, num_heads):
    every = list(range(num_heads))
    whole = answer(list(every))
    for n in range(num_heads + 1):
        for c in combinations(every, n):
            a = answer(list(c))
            if torch.equal(a.float(), whole.float()):
                return list(c)
