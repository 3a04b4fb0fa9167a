"""The sentences about flies: order decides, words do not, and every run draws the same ones."""

import sys
from collections import Counter
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "notebooks"))

from kit import flies

TRAIN, TEST = flies.training_set(), flies.held_out_set()


def test_thousands_of_distinct_sentences() -> None:
    texts = [sentence.text for sentence in TRAIN + TEST]
    assert len(texts) == len(set(texts)) == 4000


def test_every_run_draws_the_same() -> None:
    assert flies.training_set() == TRAIN
    assert flies.training_set(seed=2) != TRAIN
    assert TRAIN[0].text == "cave flies like one pilot"


def test_no_template_is_in_both_sets() -> None:
    kept, held_out = flies.templates()
    assert len(kept) == len(set(kept)) and not set(kept) & set(held_out)
    assert {sentence.template for sentence in TRAIN} == set(range(len(kept)))
    assert {sentence.template for sentence in TEST} == set(range(len(held_out)))


@pytest.mark.parametrize("sentences", [TRAIN, TEST])
def test_twins_have_the_same_words_and_different_labels(sentences: list[flies.Sentence]) -> None:
    nouns = [sentence for sentence in sentences if sentence.label == 0]
    verbs = [sentence for sentence in sentences if sentence.label == 1]
    assert len(nouns) == len(verbs) == len(sentences) / 2
    for noun, verb in zip(nouns, verbs, strict=True):
        assert Counter(noun.text.split()) == Counter(verb.text.split())
        assert noun.text != verb.text and noun.template == verb.template


@pytest.mark.parametrize("sentences", [TRAIN, TEST])
def test_each_sentence_has_one_flies_and_its_position_says_nothing(
    sentences: list[flies.Sentence],
) -> None:
    assert all(sentence.text.split().count("flies") == 1 for sentence in sentences)
    places = [Counter[int](), Counter[int]()]
    for sentence in sentences:
        places[sentence.label][sentence.text.split().index("flies")] += 1
    best = sum(max(places[0][place], places[1][place]) for place in places[0] | places[1])
    assert best / len(sentences) < 0.75


def test_the_vocabulary_has_every_word() -> None:
    vocab = flies.vocabulary()
    assert vocab["[PAD]"] == 0 and sorted(vocab.values()) == list(range(len(vocab)))
    assert {word for sentence in TRAIN + TEST for word in sentence.text.split()} <= set(vocab)
    assert {"time", "flies", "like", "an", "arrow", "fruit", "a", "banana"} <= set(vocab)


def test_baselines_are_at_chance() -> None:
    assert flies.majority_accuracy(TRAIN, TEST) == 0.5
    assert flies.bag_of_words_accuracy(TRAIN, TEST) == 0.5


def test_a_template_that_runs_dry_is_an_error() -> None:
    with pytest.raises(ValueError, match="distinct"):
        flies.generate([("{mod} flies", "flies {mod}")], 100, seed=0)


def test_one_word_to_the_left_says_everything() -> None:
    assert flies.word_before_accuracy(TRAIN, TEST) == 1
    assert flies.word_before_accuracy(TRAIN[:0], TEST) == 0.5  # nothing learned, all nouns


def test_whole_clauses_can_be_held_out() -> None:
    train, test = flies.clauses_held_out([8, 9])
    assert (len(train), len(test)) == (3000, 600)
    assert not {sentence.text for sentence in train} & {sentence.text for sentence in test}
    assert all(" and " in sentence.text for sentence in test)
    assert sum(sentence.label for sentence in test) == 300
