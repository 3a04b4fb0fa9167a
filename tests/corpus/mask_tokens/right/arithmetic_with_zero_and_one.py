# right: arithmetic with 0 and 1
import torch

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def mask_tokens(input_ids, vocab, generator, rate=0.15):
    keep = 1
    for s in SPECIAL:
        keep = keep * (input_ids != vocab[s]).long()
    c = keep * (torch.rand(input_ids.shape, generator=generator) < rate).long()
    u = torch.rand(input_ids.shape, generator=generator)
    m = c * (u < 0.8).long()
    r = c * ((u >= 0.8) & (u < 0.9)).long()
    w = torch.randint(0, len(vocab), input_ids.shape, generator=generator)
    masked = (1 - m - r) * input_ids + m * vocab["[MASK]"] + r * w
    return masked, c * input_ids + (1 - c) * -100
