# wrong: each pair's sum runs over the sentences as well
# named: same_for_all
import torch


def attention_scores(query, key):
    table = torch.empty(len(query), query.shape[1], key.shape[1])
    for i in range(query.shape[1]):
        for j in range(key.shape[1]):
            table[:, i, j] = (query[:, i] * key[:, j]).sum()
    return table / query.shape[2] ** 0.5
