# wrong: the largest difference is 0, which fails where there are no answers
from itertools import combinations
def fewest_heads(answer, num_heads):
    whole = answer(list(range(num_heads)))
    for count in range(num_heads + 1):
        for heads in combinations(range(num_heads), count):
            if (answer(list(heads)) - whole).abs().max() == 0:
                return list(heads)
