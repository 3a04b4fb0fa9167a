"""Right code by other hands, and what is told of the line once one of it was changed."""

from __future__ import annotations

import inspect
from functools import partial

from grader.candidate.candidate import Candidate
from grader.diagnosis.locating.where import where
from solutions import tokenization
from tests.candidates import checks, loaded

DECODE = """
def greedy_decode(step, start_id, end_id, max_length):
    written = [start_id]
    while len(written) < max_length:
        scores = step(list(written))
        written.append(int(scores.argmax()))
        if written[-1] == end_id:
            break
    return written
"""
PIECES = """
def wordpiece_tokenize(word, vocab, unk_token="[UNK]", max_chars=100):
    if len(word) > max_chars:
        return [unk_token]
    found, begin = [], 0
    while begin < len(word):
        stop = len(word)
        mark = "##" if begin > 0 else ""
        while stop > begin and mark + word[begin:stop] not in vocab:
            stop -= 1
        if stop == begin:
            return [unk_token]
        found.append(mark + word[begin:stop])
        begin = stop
    return found
"""
NORM = """
import torch
from torch import nn

class LayerNorm(nn.Module):
    def __init__(self, hidden_size, eps=1e-12):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(hidden_size))
        self.shift = nn.Parameter(torch.zeros(hidden_size))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        variance = ((x - mean) ** 2).mean(-1, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        return self.gain * normed + self.shift
"""
# What is None without an exception where nothing fits goes on under another name.
ENDS = """
def wordpiece_tokenize(word, vocab, unk_token="[UNK]", max_chars=100):
    if len(word) > max_chars:
        return [unk_token]
    found, begin = [], 0
    while begin < len(word):
        mark = "##" if begin else ""
        ends = range(len(word), begin, -1)
        stop = next((end for end in ends if mark + word[begin:end] in vocab), None)
        if stop is None:
            return [unk_token]
        found.append(mark + word[begin:stop])
        begin = stop
    return found
"""
HEADS = """
def split_heads(x, num_heads):
    parts = into_parts(x, num_heads)
    return parts.transpose(1, 2)

def into_parts(x, count):
    return x.unflatten(-1, (count, -1))
"""
MERGED = """
import torch

def merge_heads(x):
    return torch.cat([x[:, head] for head in range(x.shape[1])], dim=-1)
"""
WINDOWS = """
import torch

def split_heads(x, num_heads):
    width = x.shape[-1] // num_heads
    rows = x.movedim(-1, 0)
    begins = range(0, len(rows), width)
    parts = [rows[at : at + width] for at in begins]
    parts = torch.stack(parts, 1).permute(2, 1, 3, 0)
    return parts
"""
HEAD = """
import torch
from torch import nn

class AttentionHead(nn.Module):
    def __init__(self, hidden_size, head_dim):
        super().__init__()
        self.q = nn.Linear(hidden_size, head_dim)
        self.k = nn.Linear(hidden_size, head_dim)
        self.v = nn.Linear(hidden_size, head_dim)

    def forward(self, hidden_state, mask=None):
        q, k, v = self.q(hidden_state), self.k(hidden_state), self.v(hidden_state)
        scores = q @ k.transpose(1, 2) / k.shape[-1] ** 0.5
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -1e9)
        return scores.softmax(-1) @ v
"""
BEFORE = inspect.getsource(tokenization).partition("def encode(")[0]
PAIR = (
    BEFORE
    + """
def in_pieces(text, vocab):
    pieces = []
    for word in split_words(text):
        pieces.extend(wordpiece_tokenize(word, vocab))
    return pieces

def encode(first, second, vocab, max_length=512):
    one = in_pieces(first, vocab)
    two = in_pieces(second, vocab) if second else []
    room = max_length - (3 if second else 2)
    if len(one) + len(two) > room:
        least = min(len(one), len(two), room // 2)
        keep = room - least if len(one) > len(two) else least
        one, two = one[:keep], two[:room - keep]
    pieces = ["[CLS]"] + one + ["[SEP]"]
    types = [0] * len(pieces)
    if second:
        pieces += two + ["[SEP]"]
        types += [1] * (len(two) + 1)
    ids = [vocab[piece] for piece in pieces]
    return {"input_ids": ids, "token_type_ids": types, "attention_mask": [1] * len(ids)}
"""
)
WAVES = """
import math, torch

def sinusoidal_encoding(max_len, hidden_size):
    table = torch.zeros(max_len, hidden_size)
    for place in range(max_len):
        for i in range(0, hidden_size, 2):
            angle = place / 10000 ** (i / hidden_size)
            table[place, i] = math.sin(angle)
            table[place, i + 1] = math.cos(angle)
    return table
"""
CACHE = """
import torch

class KeyValueCache:
    def __init__(self):
        self.keys, self.values = [], []

    def update(self, key, value):
        self.keys.append(key)
        self.values.append(value)
        return torch.cat([*self.keys], dim=2), torch.cat([*self.values], dim=2)
"""
SHARES = """
import torch

def mask_tokens(input_ids, vocab, generator, rate=0.15):
    special = [vocab[each] for each in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")]
    free = ~torch.isin(input_ids, torch.tensor(special))
    chosen = free & (torch.rand(input_ids.shape, generator=generator) < rate)
    fate = torch.rand(input_ids.shape, generator=generator)
    pieces = torch.randint(len(vocab), input_ids.shape, generator=generator)
    hidden = torch.where(fate < 0.8, vocab["[MASK]"], pieces)
    hidden = torch.where(fate < 0.9, hidden, input_ids)
    return torch.where(chosen, hidden, input_ids), torch.where(chosen, input_ids, -100)
"""
TABLES = """
import torch
from torch import nn

class Embeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        width = config.hidden_size
        self.words = nn.Embedding(config.vocab_size, width)
        self.places = nn.Embedding(config.max_position_embeddings, width)
        self.kinds = nn.Embedding(config.type_vocab_size, width)
        self.norm = nn.LayerNorm(width, eps=config.layer_norm_eps)
        self.drop = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, input_ids, token_type_ids=None):
        kinds = torch.zeros_like(input_ids) if token_type_ids is None else token_type_ids
        places = torch.arange(input_ids.shape[1], device=input_ids.device)
        return self.drop(self.norm(self.words(input_ids) + self.places(places) + self.kinds(kinds)))
"""
KEPT = """
import torch
kept = None

def causal_mask(seq_len):
    global kept
    if True:
        kept = torch.ones(seq_len, seq_len).tril().bool()
    return kept
"""
FIRST = """
import torch
from torch import nn

class Pooler(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.map = nn.Linear(config.hidden_size, config.hidden_size)

    def forward(self, hidden_state):
        first = hidden_state[:, 0]
        return torch.tanh(self.map(first))
"""


def told(exercise: str, code: str) -> str:
    """What is told of the line, with its source."""
    return told_of(loaded(exercise, code))


def told_of(candidate: Candidate) -> str:
    """The same, of a candidate that is loaded."""
    candidate.harness = checks().harness(candidate.exercise)
    found = where(candidate, 0, partial(checks().passes, candidate, 0, ()))
    return "" if found is None else f"{found.source}\n{found.message}"
