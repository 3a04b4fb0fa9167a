# right: the ready-made loss, place by place, with the other sign
import torch.nn.functional as F

def sequence_log_prob(scores, goal, pad_id):
    loss = F.cross_entropy(scores.transpose(1, 2), goal, reduction='none')
    return -loss.masked_fill(goal == pad_id, 0.0).sum(dim=1)
