# right: loops over sentences and positions
import torch


def next_token_loss(logits, input_ids):
    total = 0
    count = 0
    for b in range(logits.shape[0]):
        for t in range(logits.shape[1] - 1):
            scores = logits[b, t]
            right = input_ids[b, t + 1]
            biggest = scores.max()
            log_sum = biggest + torch.log(torch.exp(scores - biggest).sum())
            total = total + (log_sum - scores[right])
            count = count + 1
    return total / count
