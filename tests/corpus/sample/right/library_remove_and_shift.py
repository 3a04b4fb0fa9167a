# right: library style: remove tokens, shift the mask by one
import torch
import torch.nn.functional as F


def sample(logits, generator, temperature=1.0, top_k=None, top_p=None):
    logits = logits / temperature
    if top_k is not None:
        k = min(top_k, logits.size(-1))
        logits = logits.masked_fill(logits < torch.topk(logits, k)[0][..., -1, None], -float("inf"))
    if top_p is not None:
        sorted_logits, sorted_indices = torch.sort(logits, descending=True)
        cumulative = sorted_logits.softmax(dim=-1).cumsum(dim=-1)
        remove = cumulative >= top_p
        remove[..., 1:] = remove[..., :-1].clone()
        remove[..., 0] = False
        logits = logits.masked_fill(remove.scatter(1, sorted_indices, remove), -float("inf"))
    return torch.multinomial(F.softmax(logits, dim=-1), num_samples=1, generator=generator).squeeze(1)
