# wrong: chances are compared, where scores that differ by very little are alike
# named: chances_compared
from collections.abc import Callable

from torch import Tensor

def greedy_decode(step: Callable[[list[int]], Tensor], start_id: int, end_id: int, max_length: int) -> list[int]:
    ids = [start_id]
    while len(ids) < max_length:
        ids.append(int(step(list(ids)).double().softmax(-1).argmax()))
        if ids[-1] == end_id:
            break
    return ids
