# wrong: a constant is added to the chance against log(0)
# named: floor
import torch
def sequence_log_prob(scores, goal, pad_id):
    p = scores.softmax(-1).gather(-1, goal.unsqueeze(-1)).squeeze(-1)
    l = (p + 1e-9).log()
    return l.masked_fill(goal == pad_id, 0).sum(-1)
