# wrong: where all words of a sentence would be hidden, one stays
import torch, math
from torch import nn, Tensor
import torch.nn.functional as F
def mask_tokens(input_ids, vocab, generator, rate=0.15):
    special = torch.tensor([vocab[p] for p in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")])
    can = ~torch.isin(input_ids, special)
    draw = torch.rand(input_ids.shape, generator=generator)
    chosen = (draw < rate) & can
    everything = (chosen == can).all(1) & (can.sum(1) > 1) & (rate < 1)
    chosen[everything, 0] = False
    fate = torch.rand(input_ids.shape, generator=generator)
    other = torch.randint(len(vocab), input_ids.shape, generator=generator)
    masked = torch.where(chosen & (fate < 0.8), vocab["[MASK]"], input_ids)
    masked = torch.where(chosen & (fate >= 0.9), other, masked)
    return masked, torch.where(chosen, input_ids, -100)
