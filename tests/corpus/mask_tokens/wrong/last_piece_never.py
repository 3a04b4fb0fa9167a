# wrong: other words are drawn without the last id of the vocabulary
import torch


def mask_tokens(input_ids, vocab, generator, rate=0.15):
    shape = input_ids.shape
    normal = torch.ones_like(input_ids)
    for t in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"):
        normal = normal * (input_ids != vocab[t]).long()
    c = (torch.rand(shape, generator=generator) < rate).long() * normal
    f = torch.rand(shape, generator=generator)
    a = c * (f < 0.8).long()                          # -> [MASK]
    b = c * ((f >= 0.8) & (f < 0.9)).long()           # -> other
    w = torch.randint(len(vocab) - 1, shape, generator=generator)
    masked = a * vocab["[MASK]"] + b * w + (1 - a - b) * input_ids
    labels = c * input_ids - 100 * (1 - c)
    return masked, labels
