# wrong: takes heads away one after another and never puts one back
# named: spared_from_the_start
import torch


def fewest_heads(answer, num_heads):
    whole = answer(list(range(num_heads)))
    heads = list(range(num_heads))
    for h in range(num_heads):
        trial = [x for x in heads if x != h]
        if torch.equal(answer(trial), whole):
            heads = trial
    return heads
