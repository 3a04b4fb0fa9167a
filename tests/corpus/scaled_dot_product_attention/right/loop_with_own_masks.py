# right: loop over sentences, each with its own mask
import torch, math


def scaled_dot_product_attention(query, key, value, mask=None):
    outs = []
    for b in range(query.size(0)):
        s = query[b] @ key[b].T / math.sqrt(query.size(-1))
        if mask is not None:
            s = s.masked_fill(mask[b] == 0, -1000000000.0)
        outs.append(torch.softmax(s, 1) @ value[b])
    return torch.stack(outs)
