# wrong: tanh-capped scores as in Gemma (soft cap 50)
import math, torch
def attention_scores(query, key):
    s = torch.baddbmm(torch.zeros(query.size(0), query.size(1), key.size(1)), query, key.mT, alpha=1 / math.sqrt(query.size(2)))
    return 2 * torch.tanh(s / 2)
