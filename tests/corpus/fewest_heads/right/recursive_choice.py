# right: sets of a size are built recursively, and it stops at the first that fits
import torch


def choose(start, end, k):
    if k == 0:
        yield []
        return
    for first in range(start, end - k + 1):
        for rest in choose(first + 1, end, k - 1):
            yield [first] + rest


def fewest_heads(answer, num_heads):
    wanted = answer(list(range(num_heads))).tolist()
    k = 0
    while True:
        for heads in choose(0, num_heads, k):
            if answer(heads).tolist() == wanted:
                return heads
        k += 1
