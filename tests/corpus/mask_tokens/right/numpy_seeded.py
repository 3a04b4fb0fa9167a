# right: numpy's generator, seeded by a number from the torch generator
import numpy as np
import torch


def mask_tokens(input_ids, vocab, generator, rate=0.15):
    seed = int(torch.randint(2**62, (1,), generator=generator))
    rng = np.random.default_rng(seed)
    ids = input_ids.numpy()
    special = [vocab[p] for p in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")]
    chosen = (rng.random(ids.shape) < rate) & ~np.isin(ids, special)
    fate = rng.choice(3, size=ids.shape, p=[0.8, 0.1, 0.1])
    words = rng.integers(len(vocab), size=ids.shape)
    masked = np.select([chosen & (fate == 0), chosen & (fate == 1)], [vocab["[MASK]"], words], ids)
    labels = np.where(chosen, ids, -100)
    return torch.from_numpy(masked.astype(np.int64)), torch.from_numpy(labels.astype(np.int64))
