# right: all sets as binary numbers, sorted by size and heads
import torch


def fewest_heads(answer, num_heads):
    sets = []
    for number in range(2 ** num_heads):
        sets.append([h for h in range(num_heads) if (number // 2 ** h) % 2 == 1])
    sets.sort(key=lambda s: (len(s), s))
    full = answer([h for h in range(num_heads)])
    for s in sets:
        if (answer(s) == full).all():
            return s
