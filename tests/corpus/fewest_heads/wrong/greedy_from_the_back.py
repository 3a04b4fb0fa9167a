# wrong: takes heads away from the last one on
# named: spared_from_the_end
import torch


def fewest_heads(answer, num_heads):
    everything = answer(list(range(num_heads)))
    keep = list(range(num_heads))
    for h in range(num_heads - 1, -1, -1):
        keep.remove(h)
        if not torch.equal(answer(keep), everything):
            keep = sorted(keep + [h])
    return keep
