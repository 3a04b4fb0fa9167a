# wrong: isclose, whose tolerance grows with the answers
# named: nearly_alike
import torch
from itertools import combinations
def fewest_heads(answer, num_heads):
    every = list(range(num_heads))
    whole = answer(list(every))
    for n in range(num_heads + 1):
        for c in combinations(every, n):
            a = answer(list(c))
            if torch.isclose(a, whole).all():
                return list(c)
