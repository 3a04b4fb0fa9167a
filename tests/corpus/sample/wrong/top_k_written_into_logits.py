# wrong: temperature and top_k work on the logits that were given
# named: changes_its_input
import torch


def sample(logits, generator, temperature=1.0, top_k=None, top_p=None):
    logits /= temperature
    if top_k is not None:
        edge = logits.topk(min(top_k, logits.shape[1])).values[:, -1:]
        logits[logits < edge] = -float("inf")
    chances = logits.softmax(-1)
    if top_p is not None:
        ordered, order = chances.sort(descending=True)
        ordered[ordered.cumsum(-1) - ordered >= top_p] = 0
        chances = torch.zeros_like(chances).scatter(1, order, ordered)
    return torch.multinomial(chances, 1, generator=generator)[:, 0]
