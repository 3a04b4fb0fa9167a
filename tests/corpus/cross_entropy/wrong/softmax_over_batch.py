# wrong: softmax over the batch axis in log space
# named: softmax_over_batch
import torch
def cross_entropy(logits, labels):
    lp = logits - logits.logsumexp(0, keepdim=True)
    return -lp.gather(1, labels[:, None]).mean()
