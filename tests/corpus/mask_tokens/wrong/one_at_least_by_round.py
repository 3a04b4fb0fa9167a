# wrong: where rate times words rounds to 1 and nothing was chosen, one word is
import torch, math
from torch import nn, Tensor
import torch.nn.functional as F
def mask_tokens(input_ids, vocab, generator, rate=0.15):
    special = torch.tensor([vocab[p] for p in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")])
    can = ~torch.isin(input_ids, special)
    draw = torch.rand(input_ids.shape, generator=generator)
    chosen = (draw < rate) & can
    for row in range(len(input_ids)):
        if round(rate * int(can[row].sum())) >= 1 and not chosen[row].any():
            places = can[row].nonzero().squeeze(1)
            chosen[row, places[torch.randint(len(places), (1,), generator=generator)]] = True
    fate = torch.rand(input_ids.shape, generator=generator)
    other = torch.randint(len(vocab), input_ids.shape, generator=generator)
    masked = torch.where(chosen & (fate < 0.8), vocab["[MASK]"], input_ids)
    masked = torch.where(chosen & (fate >= 0.9), other, masked)
    return masked, torch.where(chosen, input_ids, -100)
