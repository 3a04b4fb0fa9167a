# wrong: the scores are moved against the text as if the text were the decoder's input
# named: shifted_without_first
def sequence_log_prob(scores, goal, pad_id):
    logs = scores[:, :-1].log_softmax(-1)
    after = goal[:, 1:]
    each = logs.gather(-1, after.unsqueeze(-1)).squeeze(-1)
    return each.masked_fill(after == pad_id, 0.0).sum(-1)
