# wrong: the sum over the vocabulary is detached
# named: sum_constant
import math, torch
from torch import nn
import torch.nn.functional as F

def sequence_log_prob(scores, goal, pad_id):
    z = scores.detach().logsumexp(-1)
    own = scores.gather(-1, goal.unsqueeze(-1)).squeeze(-1)
    return ((own - z) * (goal != pad_id)).sum(-1)
