# right: a queue of sets that grow at the end, and so comes in the right order
from collections import deque

import torch


def fewest_heads(answer, num_heads):
    whole = answer(list(range(num_heads)))
    queue = deque([[]])
    while queue:
        heads = queue.popleft()
        if torch.equal(answer(list(heads)), whole):
            return heads
        start = heads[-1] + 1 if heads else 0
        queue.extend(heads + [new] for new in range(start, num_heads))
    return list(range(num_heads))
