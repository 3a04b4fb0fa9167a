# wrong: the product of the chances, without a logarithm
# named: no_log
import torch

def sequence_log_prob(scores, goal, pad_id):
    p = scores.softmax(-1).gather(-1, goal[:, :, None]).squeeze(2)
    return p.masked_fill(goal == pad_id, 1).prod(1)
