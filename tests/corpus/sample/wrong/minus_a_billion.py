# wrong: what top_k and top_p leave out gets the logit -1e9: where all are far below that, it is drawn instead
# named: low_fill
import torch
def sample(logits, generator, temperature=1.0, top_k=None, top_p=None):
    scores = logits / temperature
    if top_k is not None:
        kth = scores.topk(min(top_k, scores.shape[-1]), dim=-1).values[:, -1:]
        scores = scores.masked_fill(scores < kth, -1e9)
    if top_p is not None:
        ordered, order = scores.sort(dim=-1, descending=True)
        chances = ordered.softmax(-1)
        gone = chances.cumsum(-1) - chances >= top_p
        scores = scores.masked_fill(torch.zeros_like(gone).scatter(-1, order, gone), -1e9)
    return torch.multinomial(scores.softmax(-1), 1, generator=generator).squeeze(-1)
