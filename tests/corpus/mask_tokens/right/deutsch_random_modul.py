# right: German names, Python's random with a seed from the generator
import random

import torch
from torch import Tensor

SONDER = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def mask_tokens(input_ids: Tensor, vocab: dict[str, int], generator: torch.Generator,
                rate: float = 0.15) -> tuple[Tensor, Tensor]:
    wuerfel = random.Random(int(torch.randint(2**62, (1,), generator=generator)))
    verboten = {vocab[stueck] for stueck in SONDER}

    def schicksal(nummer: int) -> tuple[int, int]:
        if nummer in verboten or wuerfel.random() >= rate:
            return nummer, -100
        los = wuerfel.random()
        if los < 0.8:
            return vocab["[MASK]"], nummer
        if los < 0.9:
            return wuerfel.randrange(len(vocab)), nummer
        return nummer, nummer

    paare = [[schicksal(n) for n in zeile] for zeile in input_ids.tolist()]
    verdeckt = torch.tensor([[p[0] for p in z] for z in paare], dtype=torch.long)
    loesung = torch.tensor([[p[1] for p in z] for z in paare], dtype=torch.long)
    return verdeckt.reshape(input_ids.shape), loesung.reshape(input_ids.shape)
