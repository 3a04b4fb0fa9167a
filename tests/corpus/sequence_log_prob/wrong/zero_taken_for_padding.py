# wrong: padding is where the id is 0, whatever pad_id says
# named: zero_is_padding
import torch

def sequence_log_prob(scores, goal, pad_id):
    logp = scores.log_softmax(-1).gather(-1, goal[:, :, None]).squeeze(2)
    return (logp * goal.bool()).sum(1)
