# wrong: two neighbours are chosen together, as a span of two
# named: drawn_together
import torch
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")

def mask_tokens(input_ids, vocab, generator, rate=0.15):
    batch, seq = input_ids.shape
    draw = torch.rand(batch, (seq + 1) // 2, generator=generator)
    chosen = draw.repeat_interleave(2, dim=1)[:, :seq] < rate
    special = torch.tensor([vocab[piece] for piece in SPECIAL])
    chosen = chosen & ~torch.isin(input_ids, special)
    fate = torch.rand(input_ids.shape, generator=generator)
    other = torch.randint(len(vocab), input_ids.shape, generator=generator)
    masked = input_ids.masked_fill(chosen & (fate < 0.8), vocab["[MASK]"])
    masked = torch.where(chosen & (fate >= 0.9), other, masked)
    return masked, input_ids.masked_fill(~chosen, -100)
