# right: a die with ten sides decides the fate
import torch


def mask_tokens(input_ids, vocab, generator, rate=0.15):
    special = {vocab[t] for t in ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]}
    is_special = torch.tensor(
        [[int(t) in special for t in row] for row in input_ids], dtype=torch.bool
    ).reshape(input_ids.shape)
    chosen = (torch.rand(input_ids.size(), generator=generator) < rate).logical_and(is_special.logical_not())
    die = torch.randint(1, 11, input_ids.size(), generator=generator)  # 1 … 10
    x = input_ids.clone()
    x[chosen & (die <= 8)] = vocab["[MASK]"]
    nine = chosen & (die == 9)
    x[nine] = torch.randint(len(vocab), (int(nine.sum()),), generator=generator)
    y = torch.full_like(input_ids, -100)
    y[chosen] = input_ids[chosen]
    return x, y
