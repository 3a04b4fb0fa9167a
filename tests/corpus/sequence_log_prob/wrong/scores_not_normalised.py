# wrong: the scores are added up as they are
# named: scores_themselves
import torch

def sequence_log_prob(scores, goal, pad_id):
    picked = scores.gather(-1, goal.unsqueeze(-1)).squeeze(-1)
    return picked.masked_fill(goal == pad_id, 0).sum(-1)
