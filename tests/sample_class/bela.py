import torch


def sentence_vector(hidden_state):
    return torch.einsum("bsh->bh", hidden_state) / hidden_state.shape[1]


def attention_scores(query, key):
    return torch.einsum("bqd,bkd->bqk", query, key) * query.size(-1) ** -0.5


def softmax(x, dim):
    return (x - torch.logsumexp(x, dim, keepdim=True)).exp()


def masked_softmax(scores, mask):
    return softmax(torch.where(mask.bool(), scores, float("-inf")), -1)
