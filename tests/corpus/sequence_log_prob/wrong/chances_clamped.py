# wrong: the chance is held above 1e-12 before the log
# named: floor
import torch
def sequence_log_prob(scores, goal, pad_id):
    p = scores.softmax(-1).gather(-1, goal.unsqueeze(-1)).squeeze(-1)
    l = p.clamp(min=1e-12).log()
    return l.masked_fill(goal == pad_id, 0).sum(-1)
