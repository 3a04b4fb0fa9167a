# right: top-k by a threshold: of equal logits at the edge all stay (the contract says that any may)
import torch


def sample(logits, generator, temperature=1.0, top_k=None, top_p=None):
    logits = logits / temperature
    if top_k is not None:
        k = min(top_k, logits.size(-1))
        threshold = torch.topk(logits, k)[0][..., -1, None]
        logits = logits.masked_fill(logits < threshold, -float("inf"))
    if top_p is not None:
        s, idx = torch.sort(logits, descending=True)
        p = torch.softmax(s, dim=-1)
        s = s.masked_fill((torch.cumsum(p, dim=-1) - p) >= top_p, -float("inf"))
        logits = torch.empty_like(logits).scatter_(1, idx, s)
    return torch.multinomial(torch.softmax(logits, dim=-1), 1, generator=generator).reshape(-1)
