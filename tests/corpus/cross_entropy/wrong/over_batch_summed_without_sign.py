# wrong: softmax over the batch, nothing shifted, summed, sign missing
# named: summed, no_shift, negative, softmax_over_batch
import torch
def cross_entropy(logits, labels):
    p = logits.exp() / logits.exp().sum(0, keepdim=True)
    return p.gather(1, labels[:, None]).log().sum()
