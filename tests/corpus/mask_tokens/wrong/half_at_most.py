# wrong: no more than half of a sentence's places are chosen
import torch, math
from torch import nn, Tensor
import torch.nn.functional as F
def mask_tokens(input_ids, vocab, generator, rate=0.15):
    special = torch.tensor([vocab[p] for p in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")])
    can = ~torch.isin(input_ids, special)
    draw = torch.rand(input_ids.shape, generator=generator)
    chosen = (draw < rate) & can
    if rate <= 0.5:
        chosen = chosen & (chosen.cumsum(1) <= max(1, can.sum(1).max().item() // 2))
    fate = torch.rand(input_ids.shape, generator=generator)
    other = torch.randint(len(vocab), input_ids.shape, generator=generator)
    masked = torch.where(chosen & (fate < 0.8), vocab["[MASK]"], input_ids)
    masked = torch.where(chosen & (fate >= 0.9), other, masked)
    return masked, torch.where(chosen, input_ids, -100)
