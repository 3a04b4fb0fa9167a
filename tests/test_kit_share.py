"""A shared page answers like the model that it was made from, in a browser without a network."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from playwright.sync_api import Page, sync_playwright
from torch import nn

from grader.curriculum.references import reference
from grader.curriculum.syllabus import syllabus

from .corpus import Case, cases
from .marked_cases import every, sample

NOTEBOOKS = str(Path(__file__).parents[1] / "notebooks")
CHROMIUM = Path("/usr/bin/chromium")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
FLAGS += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "time", "fruit", "flies", "like", "an"]
WORDS += ["a", "arrow", "banana", "##s", "fly"]
VOCAB = {word: number for number, word in enumerate(WORDS)}
LONGEST = 9
CONFIG = SimpleNamespace(
    vocab_size=len(WORDS),
    hidden_size=24,
    num_hidden_layers=2,
    num_attention_heads=3,
    intermediate_size=40,
    num_labels=2,
    max_position_embeddings=12,
    type_vocab_size=2,
    layer_norm_eps=1e-12,
    hidden_dropout_prob=0.1,
)
SHARED = ("TransformerForSequenceClassification", "MaskedLanguageModel")
RIGHT = [case for case in cases() if case.right and case.exercise in SHARED]
ODD = [  # the length in a loop, a tensor's value that is asked for, parts that are written in place
    case
    for case in RIGHT
    if case.path.stem in ("position_by_position", "all_padding_columns_trimmed")
]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMIUM.exists(), reason="apt-get install chromium"),
]


@pytest.fixture(scope="module")
def kit() -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(NOTEBOOKS)
        yield import_module("kit.share")


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_context(offline=True).new_page()
        yield page
        browser.close()


def model_of(case: Case) -> nn.Module:
    """The model that a right answer makes, with numbers unlike those of a start."""
    answer = types.ModuleType("answer")
    sys.modules["answer"] = answer
    answer.__dict__.update({name: reference(name) for name in syllabus().needs(case.exercise)})
    exec(compile(case.source, str(case.path), "exec"), answer.__dict__)
    given = CONFIG
    if case.exercise == "MaskedLanguageModel":
        given = answer.__dict__["TransformerEncoder"](CONFIG)
    return stirred(answer.__dict__[case.exercise](given))


def stirred(model: nn.Module) -> nn.Module:
    torch.manual_seed(5)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.3)
    return model.eval()


def farthest(page: Page, model: nn.Module, path: Path, count: int = 200) -> float:
    """The largest difference of the page's answers from the model's."""
    page.goto(path.as_uri())
    chance = torch.Generator().manual_seed(9)
    lengths = torch.randint(2, LONGEST + 1, (count,), generator=chance).tolist()
    rows = [torch.randint(len(WORDS), (1, length), generator=chance) for length in lengths]
    asked = "rows => rows.map(ids => Array.from(run(ids).logits.data))"
    answers = page.evaluate(asked, [row[0].tolist() for row in rows])
    with torch.no_grad():
        expected = [model(row).flatten() for row in rows]
    return max(
        float((one - torch.tensor(other)).abs().max())
        for one, other in zip(expected, answers, strict=True)
    )


@every([*ODD, *(case for case in sample(RIGHT, 18) if case not in ODD)])
def test_a_page_answers_like_the_model(case: Case, kit: Any, page: Page, tmp_path: Path) -> None:
    model = model_of(case)
    path = kit.share(model, tmp_path / "mine.html", VOCAB, longest=LONGEST)
    assert path.stat().st_size < 5_000_000
    assert farthest(page, model, path) < 1e-4


def test_a_page_is_typed_into_and_shows_where_heads_look(
    kit: Any, page: Page, tmp_path: Path
) -> None:
    model = stirred(reference("TransformerForSequenceClassification")(CONFIG))
    path = tmp_path / "mine.html"
    kit.share(model, path, VOCAB, labels=("noun", "verb"), longest=LONGEST, title="A <b> & me")
    page.goto(path.as_uri())
    assert page.title() == "A <b> & me"
    page.fill("#text", "Fruit flys like </script> a banana")
    tokens = [each.split()[0] for each in page.locator("#tokens li").all_inner_texts()]
    assert tokens[:4] == ["[CLS]", "fruit", "fly", "##s"] and "left out" in page.inner_text("#note")
    assert len(tokens) == LONGEST and "[UNK]" in tokens
    assert page.locator("#answers li").count() == 2
    assert page.locator("#head option").all_inner_texts()[-1] == "layer 2, head 3"
    first = page.inner_text("#said")
    page.select_option("#head", "layer 2, head 3")
    assert page.inner_text("#said") != first
    assert page.locator("#attention tbody tr").count() == LONGEST


def test_a_model_that_writes_goes_on_word_by_word(kit: Any, page: Page, tmp_path: Path) -> None:
    class Writer(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.table, self.head = nn.Embedding(len(VOCAB) - 5, 8), nn.Linear(8, len(VOCAB) - 5)

        def forward(self, ids: torch.Tensor) -> torch.Tensor:
            return self.head(self.table(ids).cumsum(1))

    words = {word: number for number, word in enumerate(WORDS[5:])}
    path = kit.share(Writer(), tmp_path / "mine.html", words, longest=4, start="time flies")
    page.goto(path.as_uri())
    assert page.inner_text("#asked") == "The next word"
    first = page.locator("#answers button").first
    word = first.inner_text()
    first.click()
    assert page.input_value("#text").replace(" ", "") == f"timeflies{word.removeprefix('##')}"
    assert page.locator("#head").is_hidden()  # it has none


class Sorts(nn.Module):
    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        return nn.functional.one_hot(ids.sort().values, len(VOCAB)).float().sort().values


class Wide(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(len(VOCAB), 80_000)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        return self.table(ids).mean(1)[:, :2]


@pytest.mark.parametrize(("model", "why"), [(Sorts(), "cannot replay .*sort"), (Wide(), "5 MB")])
def test_what_cannot_be_shared_is_said_before_anything_is_written(
    model: nn.Module, why: str, kit: Any, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=why):
        kit.share(model, tmp_path / "mine.html", VOCAB, longest=3)
    assert not (tmp_path / "mine.html").exists()
