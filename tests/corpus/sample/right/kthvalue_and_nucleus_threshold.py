# right: a threshold found by kthvalue and by the nucleus
import torch
import torch.nn.functional as F


def sample(logits, generator, temperature=1.0, top_k=None, top_p=None):
    z = logits.clone().div_(temperature)
    if top_k is not None:
        k = min(top_k, z.shape[1])
        edge = z.kthvalue(z.shape[1] - k + 1, dim=1, keepdim=True).values
        z[z < edge] = float('-inf')
    if top_p is not None:
        q = torch.softmax(z, 1)
        s = q.sort(1, descending=True).values
        need = (s.cumsum(1) < top_p).sum(1, keepdim=True).clamp(max=z.shape[1] - 1)
        z = z.masked_fill(q < s.gather(1, need), float('-inf'))
    return torch.multinomial(torch.softmax(z, 1), 1, generator=generator)[:, 0]
