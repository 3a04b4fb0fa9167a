# wrong: silences each head by itself and keeps those that are missed
# named: those_missed
import torch


def fewest_heads(answer, num_heads):
    base = answer(list(range(num_heads)))
    important = []
    for h in range(num_heads):
        others = [i for i in range(num_heads) if i != h]
        if not torch.equal(answer(others), base):
            important.append(h)
    return important
