"""The course's texts come with their source and licence, and the bar says how far it is."""

from __future__ import annotations

import sys
from pathlib import Path

import torch

NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"
sys.path.insert(0, str(NOTEBOOKS))

from kit import checkpoint, uses  # noqa: E402
from kit.progress import Progress  # noqa: E402
from kit.texts import FOLDER, Use, shakespeare, verb_or_noun  # noqa: E402


def test_each_use_is_a_word_of_its_sentence() -> None:
    every = verb_or_noun()
    assert len(every) == 6434
    for use in every:
        found = use.sentence[use.start : use.start + len(use.word)]
        assert found.lower() == use.word.lower() and use.label in (0, 1)


def test_the_rows_of_neighbours_are_those_of_the_pieces_beside_a_word() -> None:
    vocab = checkpoint.load_vocab()
    some = [Use("time flies like an arrow", "flies", 5, 1), Use("flies sing", "flies", 0, 0)]
    rows = uses.neighbour_rows(some, vocab, torch.arange(len(vocab))[:, None])
    beside = [("time", "like"), ("[CLS]", "sing")]
    assert rows[..., 0].tolist() == [[vocab[piece] for piece in pair] for pair in beside]


def test_shakespeare_is_there() -> None:
    assert len(shakespeare()) == 1_115_394 and "ROMEO:" in shakespeare()


def test_source_and_licence_lie_beside_the_texts() -> None:
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    for path in FOLDER.iterdir():
        assert path.name == "README.md" or path.name in readme
    assert "CC BY-SA 4.0" in readme and "Public domain" in readme


def test_a_bar_tells_in_words_how_far_it_is() -> None:
    progress = Progress(10)
    assert list(progress) == list(range(10))
    progress.say("loss 2.3")
    assert progress.line(5).endswith("step 5 of 10 · loss 2.3")
    assert progress.line(0).count("█") == 0 and progress.line(10).count("░") == 0
