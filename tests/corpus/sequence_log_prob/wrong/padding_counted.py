# wrong: places of padding take part in the sum
# named: padding_counts
import torch

def sequence_log_prob(scores, goal, pad_id):
    logp = scores.log_softmax(-1)
    return logp.gather(-1, goal.unsqueeze(-1)).squeeze(-1).sum(-1)
