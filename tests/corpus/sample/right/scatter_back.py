# right: a mask in sorted order, scattered back onto the vocabulary
import torch


def sample(logits, generator, temperature=1.0, top_k=None, top_p=None):
    logits = logits / temperature                     # a new tensor
    if top_k is not None:
        k = min(top_k, logits.shape[-1])
        values, indices = torch.topk(logits, k, dim=-1)
        logits = torch.full_like(logits, float("-inf")).scatter(-1, indices, values)
    if top_p is not None:
        sorted_logits, sorted_indices = torch.sort(logits, descending=True, dim=-1)
        cumulative = sorted_logits.softmax(-1).cumsum(-1)
        remove = cumulative >= top_p
        remove[:, 1:] = remove[:, :-1].clone()        # keep the one that crosses the line
        remove[:, 0] = False
        logits = logits.masked_fill(remove.scatter(1, sorted_indices, remove), float("-inf"))
    probs = torch.softmax(logits, dim=-1)
    return torch.multinomial(probs, num_samples=1, generator=generator)[:, 0]
