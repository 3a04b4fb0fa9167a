# right: Python loop with item
import torch

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def mask_tokens(input_ids, vocab, generator, rate=0.15):
    masked, labels = input_ids.clone(), torch.full_like(input_ids, -100)
    special = {vocab[s] for s in SPECIAL}
    chance = torch.rand((*input_ids.shape, 2), generator=generator).tolist()
    others = torch.randint(len(vocab), input_ids.shape, generator=generator).tolist()
    for i, row in enumerate(input_ids.tolist()):
        for j, token in enumerate(row):
            if token in special or chance[i][j][0] >= rate:
                continue
            labels[i, j] = token
            if chance[i][j][1] < 0.8:
                masked[i, j] = vocab["[MASK]"]
            elif chance[i][j][1] < 0.9:
                masked[i, j] = others[i][j]
    return masked, labels
