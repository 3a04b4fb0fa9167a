# wrong: top_k writes -inf, but what top_p leaves out gets the logit -1e5
# named: low_fill
import torch


def sample(logits, generator, temperature=1.0, top_k=None, top_p=None):
    scores = logits / temperature
    if top_k is not None and top_k < scores.shape[-1]:
        edge = torch.topk(scores, top_k, dim=-1)[0][..., -1, None]
        scores = scores.masked_fill(scores < edge, float("-inf"))
    if top_p is not None:
        ranked, ids = torch.sort(scores, descending=True)
        cumulative = ranked.softmax(dim=-1).cumsum(dim=-1)
        remove = cumulative >= top_p
        remove = torch.cat([torch.zeros_like(remove[..., :1]), remove[..., :-1]], dim=-1)
        scores = scores.masked_fill(remove.scatter(-1, ids, remove), -1e5)
    return torch.multinomial(scores.softmax(dim=-1), num_samples=1, generator=generator).squeeze(-1)
