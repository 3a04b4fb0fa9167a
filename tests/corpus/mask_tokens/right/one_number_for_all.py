# right: a single uniform number in double precision, cut into parts of the rate
import torch


def mask_tokens(input_ids, vocab, generator, rate=0.15):
    u = torch.rand(input_ids.shape, generator=generator, dtype=torch.float64)
    special = torch.isin(input_ids, torch.tensor([vocab[k] for k in vocab if k in
                                                  ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")]))
    u = u.masked_fill(special, 2.0)                  # never below any rate
    out = input_ids.clone()
    swap = u < 0.9 * rate
    out[swap] = torch.randint(0, len(vocab), (int(swap.sum()),), generator=generator)
    out[u < 0.8 * rate] = vocab["[MASK]"]            # overwrites eight of the nine tenths
    return out, torch.where(u < rate, input_ids, torch.tensor(-100))
