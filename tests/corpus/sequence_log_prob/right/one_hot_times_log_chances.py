# right: one-hot goals pick, and padded places are switched off
import torch
import torch.nn.functional as F

def sequence_log_prob(scores, goal, pad_id):
    top = scores.amax(-1, keepdim=True)
    logp = scores - top - (scores - top).exp().sum(-1, keepdim=True).log()
    pick = F.one_hot(goal, scores.shape[-1]).to(scores.dtype) * (goal != pad_id).unsqueeze(-1)
    return torch.einsum('bsv,bsv->b', logp, pick)
