"""Inputs that keep from a find-the-mistake function what it alone would show, by its name; all
others of the exercise show it. Judges nothing.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

PIECES = [
    "un",
    "##aff",
    "##able",
    "aff",
    "able",
    "a",
    "##a",
    "b",
    "##b",
    "abc",
    "##d",
    "ab",
    "##ce",
    "[UNK]",
    "é",
    "##é",
    "##" + "b" * 60,
]
WORDS = ("unaffable", "able", "aab", "aaa", "unq", "ab", "abcd", "abce", "q", "affx", "Able")
VOCAB = {piece: index for index, piece in enumerate(PIECES)}
LONG = {piece: index for index, piece in enumerate([*PIECES, "a" * 40, "##" + "b" * 61, "é" * 60])}
KINDS = (torch.bool, torch.int64)
BROADCAST = ((2, 3, 5), (2, 1, 5), (1, 3, 5))  # shapes of masks


def normal(*shape: int, scale: float = 1.0) -> Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(sum(shape))) * scale


def shown(*shape: int) -> Tensor:
    return (normal(*shape) > 0).index_fill(-1, torch.tensor([1]), True)


# By how much scores are multiplied, and what is added.
FAR = ((1.0, -19000.0), (-9000.0, -20.0), (1.0, 1000.0))
# Each query sees the first keys, and none behind them.
STAIRS = torch.stack([torch.ones(3, 5).tril(1), torch.ones(3, 5).tril(2)]).bool()


def ids(*shape: int, least: int = 0) -> Tensor:
    return (torch.arange(shape[0] * shape[1]).view(shape) * 2 + 3) % (5 - least) + least


def forward(batch: int, seq: int, shift: float = 1.0) -> tuple[Any, ...]:
    weights = normal(5, 4), normal(5) * shift, normal(4, 5), normal(4) * shift
    return normal(batch, seq, 4), *weights


INPUTS: dict[str, dict[str, list[tuple[Any, ...]]]] = {
    "spot_tokenization": {
        "no_long_word": [(w, VOCAB) for w in WORDS],
        "no_word_beyond_limit": [(w, VOCAB) for w in (*WORDS, "a" * 100, "é" * 60)],
        "no_word_at_limit": [(w, VOCAB) for w in (*WORDS, "é" * 60, "a" * 101, "a" + "b" * 120)],
        "no_accents": [(w, VOCAB) for w in (*WORDS, "a" * 100, "a" * 101, "a" + "b" * 120)],
        "pieces_of_one_letter": [(w, VOCAB) for w in (*WORDS, "é" * 60, "a" * 100, "a" * 101)],
        "one_order": [
            (
                w,
                {
                    piece: VOCAB[piece]
                    for piece in sorted(VOCAB, key=lambda each: -len(each.strip("#")))
                },
            )
            for w in (*WORDS, "é" * 60, "a" * 100, "a" * 101, "a" + "b" * 120)
        ],
        "no_piece_twice": [
            *((w, VOCAB) for w in WORDS if w != "aaa"),
            *((w, LONG) for w in ("a" * 40 + "b" * 60, "a" * 40 + "b" * 61, "é" * 60)),
        ],
        "no_id_0": [
            (w, {piece: index + 1 for piece, index in VOCAB.items()})
            for w in (*WORDS, "é" * 60, "a" * 100, "a" * 101, "a" + "b" * 120)
        ],
    },
    "spot_embeddings": {
        "one_wave": [(5, 2), (30, 2)],
        "hidden_size_512": [(5, 512)],
        "square_tables": [(6, 6), (30, 30)],
    },
    "spot_attention_scores": {
        "one_sentence": [(normal(1, 3, 8), normal(1, 5, 8))],
        "one_feature": [(normal(2, 3, 1), normal(2, 5, 1))],
        "four_features": [(normal(2, 3, 4), normal(2, 5, 4))],
        "square_widths": [(normal(2, 3, n), normal(2, 5, n)) for n in (4, 25)],
        "d_k_64": [(normal(2, 3, 64), normal(2, 5, 64))],
        "as_many_queries_as_features": [(normal(2, 6, 6), normal(2, 5, 6))],
        "as_many_keys_as_features": [(normal(2, 3, 6), normal(2, 6, 6))],
        "as_many_sentences_as_features": [(normal(6, 3, 6), normal(6, 5, 6))],
        "as_many_keys_as_queries": [(normal(2, 3, 8), normal(2, 3, 8) + 1)],
    },
    "spot_softmax": {
        "one_sentence": [
            (normal(1, 3, 5, scale=scale) + shift, shown(1, queries, 5).to(kind))
            for scale, shift in FAR
            for kind in KINDS
            for queries in (3, 1)
        ],
        "queries_masked_alike": [
            (normal(2, 3, 5, scale=scale) + shift, shown(sentences, 1, 5).to(kind))
            for sentences in (2, 1)
            for scale, shift in FAR
            for kind in KINDS
        ],
        "whole_masks": [
            (normal(2, 3, 5, scale=scale) + shift, shown(2, 3, 5).to(kind))
            for scale, shift in FAR
            for kind in KINDS
        ],
        "no_mask_for_all": [
            (normal(2, 3, 5, scale=scale) + shift, shown(*shape).to(kind))
            for shape in BROADCAST[:2]
            for scale, shift in FAR
            for kind in KINDS
        ],
        "prefixes_alone": [
            (shift + normal(2, 3, 5), mask.to(kind))
            for mask in (STAIRS, STAIRS[:, :1], STAIRS[:1])
            for shift in (0.0, torch.tensor([[[0.0], [900], [-19000]]]), 900.0 * ~mask)
            for kind in KINDS
        ],
        "no_large_score": [
            (normal(2, 3, 5), shown(*shape).to(kind)) for shape in BROADCAST for kind in KINDS
        ],
        "no_low_score": [
            (normal(2, 3, 5) + shift, shown(*shape).to(kind))
            for shape in BROADCAST
            for shift in (torch.tensor([[[0.0], [900], [-900]]]), 900.0 * ~shown(*shape))
            for kind in KINDS
        ],
        "rows_alike": [
            (shift + normal(2, 3, 5) + above * ~shown(2, 3, 5), shown(2, 3, 5).to(kind))
            for shift in (-19000, 1000)
            for above in (0, 300)
            for kind in KINDS
        ]
        + [(normal(2, 3, 5), shown(*shape)) for shape in BROADCAST[1:]],
        "no_hidden_above": [
            (normal(2, 3, 5) + torch.tensor([[[0.0], [900], [-19000]]]), shown(*shape).to(kind))
            for shape in BROADCAST
            for kind in KINDS
        ],
        "no_integers": [
            (normal(2, 3, 5, scale=scale) + shift, shown(*shape))
            for shape in BROADCAST
            for scale, shift in FAR
        ],
        "no_bools": [
            (normal(2, 3, 5, scale=scale) + shift, shown(*shape).long())
            for shape in BROADCAST
            for scale, shift in FAR
        ],
    },
    "spot_multi_head_attention": {
        "as_many_heads_as_features_each": [(normal(2, 3, 25), 5)],
        "four_heads": [(normal(2, 3, 20), 4)],
        "one_feature_each": [(normal(2, 5, 6), 6)],
        "tokens_alike": [(normal(20).expand(2, 3, 20), 5)],
        "features_alike": [(normal(2, 3, 1).expand(2, 3, 20), 5)],
    },
    "spot_feed_forward": {
        "no_shift": [forward(2, 3, shift=0.0)],
        "first_bias_alike": [(*forward(2, 3)[:2], torch.full((5,), 0.5), *forward(2, 3)[3:])],
        "one_token": [forward(2, 1)],
        "one_sentence": [forward(1, 3)],
    },
    "spot_layer_norm": {
        "tiny_eps": [(normal(2, 3, 6), normal(6), normal(6) + 1, 1e-12)],
        "eps_1": [
            (x, normal(6), normal(6) + 1, eps)
            for x, eps in (
                (normal(2, 3, 6), 1.0),
                (normal(2, 3, 6) * 1e-3, 1e-12),
                (torch.full((2, 3, 6), 2.0), 1.0),
                (normal(2, 3, 6) + 3000, 1.0),
            )
        ],
        "ordinary_tokens": [(normal(2, 3, 6), normal(6), normal(6) + 1, 0.1)],
        "as_many_tokens_as_features": [
            (x, normal(6), normal(6) + 1, eps)
            for x, eps in (
                (normal(2, 6, 6), 0.1),
                (normal(2, 6, 6) * 1e-4, 1e-12),
                (torch.full((2, 6, 6), 2.0), 1e-3),
                (normal(2, 6, 6) + 3000, 1e-3),
            )
        ],
        "two_features": [
            (x, normal(2), normal(2) + 1, eps)
            for x, eps in (
                (normal(2, 3, 2), 0.1),
                (normal(2, 3, 2) * 1e-4, 1e-12),
                (torch.full((2, 3, 2), 2.0), 1e-3),
                (normal(2, 3, 2) + 3000, 1e-3),
            )
        ],
        "no_tiny_token": [
            (normal(2, 3, 6) * far, normal(6), normal(6) + 1, eps)
            for far, eps in ((1.0, 0.1), (0.1, 1e-3), (0.0, 1e-3), (0.0, 1e-12))
        ]
        + [(normal(2, 3, 6) + 3000, normal(6), normal(6), 1e-3)],
        "scale_alike": [
            (x, torch.full((6,), 2.0), normal(6) + 1, eps)
            for x, eps in (
                (normal(2, 3, 6), 0.1),
                (normal(2, 3, 6) * 1e-4, 1e-12),
                (torch.full((2, 3, 6), 2.0), 1e-3),
                (normal(2, 3, 6) + 3000, 1e-3),
            )
        ],
        "odd_tokens": [
            (normal(2, 3, 6) * 1e-4, normal(6), normal(6), 1e-12),
            (torch.full((2, 3, 6), 2.0), normal(6), normal(6), 1e-3),
            (normal(2, 3, 6) + 3000, normal(6), normal(6), 1e-3),
        ],
        "no_scale": [(normal(2, 3, 6), torch.ones(6), torch.zeros(6), eps) for eps in (0.1, 1e-12)],
    },
    "spot_classification_head": {
        "one_sentence": [
            (normal(1, 4, scale=scale), torch.tensor([label]))
            for scale in (1.0, 1000.0)
            for label in (0, 2)
        ],
        "no_label_0": [
            (normal(5, 3, scale=scale), torch.tensor([2, 1, 1, 2, 1])) for scale in (1.0, 1000.0)
        ],
        "no_large_score": [(normal(5, 3), torch.tensor([2, 0, 1, 1, 0]))],
        "as_many_labels_as_rows": [
            (normal(3, 3, scale=scale), torch.tensor(labels))
            for scale in (1.0, 1000.0)
            for labels in ([2, 0, 0], [1, 0, 2])
        ],
        "two_labels_alone": [
            (normal(5, 2, scale=scale), torch.tensor([1, 0, 1, 1, 0])) for scale in (1.0, 1000.0)
        ],
    },
    "spot_writing": {
        "one_sentence": [(normal(1, 4, 5, scale=scale), ids(1, 4)) for scale in (1.0, 1000.0)],
        "no_large_score": [(normal(3, 4, 5), ids(3, 4))],
        "two_pieces_alone": [
            (normal(3, 4, 2, scale=scale), ids(3, 4) % 2) for scale in (1.0, 1000.0)
        ],
        "as_many_pieces_as_guesses": [
            (normal(3, 6, 5, scale=scale), ids(3, 6)) for scale in (1.0, 1000.0)
        ],
        "two_tokens": [(normal(3, 2, 5, scale=scale), ids(3, 2)) for scale in (1.0, 1000.0)],
        "in_turns": [
            (normal(4, 8, 5, scale=scale), ids(4, 2).repeat(1, 4)) for scale in (1.0, 1000.0)
        ],
        "no_id_0": [(normal(2, 5, 5, scale=scale), ids(2, 5, least=1)) for scale in (1.0, 1000.0)],
    },
}
