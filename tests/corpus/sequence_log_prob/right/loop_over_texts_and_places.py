# right: a loop over texts and places
import torch

def sequence_log_prob(scores, goal, pad_id):
    out = []
    for s, g in zip(scores, goal):
        total = s.new_zeros(())
        for place, token in zip(s, g.tolist()):
            if token != pad_id:
                total = total + place[token] - torch.logsumexp(place, 0)
        out.append(total)
    return torch.stack(out)
