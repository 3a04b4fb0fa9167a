"""Turns a run's seed into random generators, one for each purpose; knows no exercise."""

import hashlib

import torch


def generator_for(seed: int, *purpose: str) -> torch.Generator:
    """Random numbers that depend on seed and purpose alone: not on order, jobs or machine."""
    text = "\0".join((str(seed), *purpose))
    digest = hashlib.sha256(text.encode("utf-8", "backslashreplace")).digest()
    return torch.Generator().manual_seed(int.from_bytes(digest[:6], "little"))
