# wrong: the mean over the tokens, not their sum
# named: averaged_over_tokens
import torch

def sequence_log_prob(scores, goal, pad_id):
    real = (goal != pad_id).float()
    logp = scores.log_softmax(-1).gather(-1, goal.unsqueeze(-1)).squeeze(-1)
    return (logp * real).sum(-1) / real.sum(-1)
