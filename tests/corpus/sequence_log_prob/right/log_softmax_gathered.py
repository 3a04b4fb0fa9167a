# right: log_softmax, gather, and a product with the mask
import torch

def sequence_log_prob(scores, goal, pad_id):
    logp = torch.log_softmax(scores, -1)
    picked = torch.gather(logp, 2, goal[..., None])[..., 0]
    return (picked * (goal != pad_id)).sum(1)
