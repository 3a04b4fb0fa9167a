"""A learner's own encoder is looked into whatever it is made of, and said in words."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import nbformat
import pytest
import torch
from torch import Tensor, nn

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
LAYER = """
import torch
from torch import nn
from kit.earlier import Embeddings, FeedForward, LayerNorm

class Mix(nn.Module):
    def __init__(self, config):
        super().__init__()
        h = config.hidden_size
        self.n = config.num_attention_heads
        self.wq, self.wk, self.wv, self.back = (nn.Linear(h, h) for _ in range(4))

    def forward(self, x, mask=None):
        q, k, v = (
            w(x).unflatten(-1, (self.n, -1)).transpose(1, 2) for w in (self.wq, self.wk, self.wv)
        )
        s = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            s = s.masked_fill(mask.unsqueeze(1) == 0, -1e9)
        return self.back((s.softmax(-1) @ v).transpose(1, 2).flatten(2))

class PostNormEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.mix, self.first = Mix(config), LayerNorm(config.hidden_size)
        self.feed, self.second = FeedForward(config), LayerNorm(config.hidden_size)
        self.first.eps = self.second.eps = 1e-12

    def forward(self, x, mask=None):
        x = self.first(x + self.mix(x, mask))
        return self.second(x + self.feed(x))
"""
ENCODER = """
from torch import nn
from kit.earlier import Embeddings, PostNormEncoderLayer, padding_mask

class BertEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.words = Embeddings(config)
        layers = [PostNormEncoderLayer(config) for _ in range(config.num_hidden_layers)]
        self.stack = nn.ModuleList(layers)

    def forward(self, ids, mask=None, types=None):
        x = self.words(ids, types)
        for layer in self.stack:
            x = layer(x, None if mask is None else padding_mask(mask))
        return x
"""
LOADER = """
import torch

INSIDE = "attention.self.query attention.self.key attention.self.value attention.output.dense "
INSIDE += "attention.output.LayerNorm intermediate.dense output.dense output.LayerNorm"
TABLES = "word_embeddings position_embeddings token_type_embeddings LayerNorm"

def load_bert_weights(model, state_dict):
    names = [f"embeddings.{table}.weight" for table in TABLES.split()]
    names += ["embeddings.LayerNorm.bias"]
    for layer in range(len(model.stack)):
        for part in INSIDE.split():
            names += [f"encoder.layer.{layer}.{part}.{kind}" for kind in ("weight", "bias")]
    with torch.no_grad():
        for parameter, name in zip(model.parameters(), names, strict=True):
            parameter.copy_(state_dict[name])
"""


@pytest.fixture(scope="module")
def kit() -> Iterator[Any]:
    """The notebooks' kit, with the solved chapters in place of the learner's."""
    sys.path.insert(0, str(NOTEBOOKS))
    from kit import checkpoint, earlier, live, own_bert, touched

    yield SimpleNamespace(
        checkpoint=checkpoint, earlier=earlier, live=live, own_bert=own_bert, touched=touched
    )
    sys.path.remove(str(NOTEBOOKS))


@pytest.fixture(scope="module")
def model(kit: Any) -> nn.Module:
    made: nn.Module = kit.own_bert.own_bert()
    return made


def score(_: int, vectors: Tensor) -> Tensor:
    """Another question than the course's: the first feature."""
    return vectors[..., 0]


@pytest.fixture
def live(kit: Any, model: nn.Module) -> Any:
    touched = kit.touched.Touched(model, 12, kit.earlier.patch_head, score)
    vocab = kit.checkpoint.load_vocab()
    return kit.live.Live(touched, vocab, "time flies like an arrow", "fruit flies like a banana")


def test_the_encoder_answers_as_transformers_does(kit: Any, model: nn.Module) -> None:
    ids = torch.tensor([[101, 2051, 10029, 102]])
    theirs = kit.checkpoint.load_bert()(ids, output_hidden_states=True).hidden_states
    for mine, other in zip(kit.own_bert.hidden_states(model, ids), theirs, strict=True):
        torch.testing.assert_close(mine, other, atol=1e-4, rtol=0)


def test_the_map_behind_the_heads_is_found_by_its_weights(kit: Any, model: nn.Module) -> None:
    maps = kit.own_bert.head_maps(model)
    assert len(set(maps)) == 6
    for layer, each in enumerate(maps):
        weight = kit.checkpoint.load_state_dict()[kit.own_bert.OUTPUT.format(layer)]
        assert torch.equal(each.weight, weight)


def test_a_model_without_the_weights_is_refused(kit: Any) -> None:
    fresh = kit.earlier.BertEncoder(kit.checkpoint.load_config())
    with pytest.raises(kit.own_bert.ClosedModel):
        kit.own_bert.head_maps(fresh)


@pytest.mark.parametrize("has_loader", [True, False])
def test_own_halves_are_taken_together_or_lent_together(
    kit: Any,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    has_loader: bool,
) -> None:
    """Layers with names of their own; a lent load_bert_weights does not know these names."""
    chapters = {"07_layer_norm": [LAYER], "09_pretrained_bert": [ENCODER, LOADER][: 1 + has_loader]}
    for name, sources in chapters.items():
        cells = [nbformat.v4.new_code_cell(source) for source in sources]
        nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / f"{name}.ipynb")
    monkeypatch.setattr(kit.earlier, "FOLDER", tmp_path)
    kit.earlier._told.clear()
    model = kit.own_bert.own_bert()
    assert any(type(part).__name__ == "Mix" for part in model.modules()) == has_loader
    assert len(kit.own_bert.head_maps(model)) == 6
    told = "Your BertEncoder cannot be used here" in capsys.readouterr().out
    assert told != has_loader


def test_silence_and_a_patch_move_the_later_layers_alone(live: Any) -> None:
    for head, how in (((3, 4), "silenced"), ((5, 0), "patched")):
        live.changes.clear()
        live.click(head, how)
        usual, changed = live.curves().values()
        assert torch.equal(usual[: head[0] + 1], changed[: head[0] + 1])
        assert not torch.allclose(usual[head[0] + 1 :], changed[head[0] + 1 :])


def test_a_patch_of_all_heads_of_the_first_layer_is_their_run(kit: Any, live: Any) -> None:
    """Then the first layer adds what it adds in the other sentence: the maps' inputs are equal."""
    found = live.touched.found(live._ids(live.other))[0]
    heads = {(0, head): "patched" for head in range(12)}
    seen: list[Tensor] = []
    hook = live.touched.maps[0].register_forward_hook(lambda _m, given, _o: seen.append(given[0]))
    live.touched.scores(live._ids(live.sentence), heads, live._ids(live.other))
    hook.remove()
    assert torch.equal(seen[-1], found)


def test_a_second_click_gives_a_head_back_what_it_found(live: Any) -> None:
    live.click((0, 4), "silenced")
    assert "layer 0 head 4 silenced" in live.words() and "changed" in live.words()
    live.click((0, 4), "patched")
    assert "patched from “fruit flies" in live.words() and "silenced" not in live.words()
    live.click((0, 4), "patched")
    assert "changed" not in live.words()


def test_what_cannot_be_patched_is_said(live: Any) -> None:
    live.other = "three flies"
    live.click((0, 4), "patched")
    assert "cannot be computed: ValueError" in live.words()


def test_a_probe_that_is_still_a_stub_is_said_at_once(kit: Any, live: Any) -> None:
    def stub(_: int, vectors: Tensor) -> Tensor:
        raise NotImplementedError

    touched = kit.touched.Touched(live.touched.model, 12, live.touched.patch, stub)
    with pytest.raises(NotImplementedError):
        kit.live.Live(touched, live.vocab, live.sentence, live.other)


def test_without_a_browser_it_is_told_in_words(live: Any) -> None:
    assert live._repr_mimebundle_()["text/plain"] == live.words()


@pytest.mark.parametrize("sentence", ["", "fly", "x" * 3 + " y" * 60])
def test_any_sentence_may_be_typed(live: Any, sentence: str) -> None:
    bundle = live._repr_mimebundle_()
    live._view.sentence.value = sentence
    assert live.tokens()[0] == "[CLS]" and live.word < len(live.tokens())
    assert f"in “{sentence}”" in live._view.shown.value or not bundle


def test_cells_and_clicks_ask_at_the_same_time(live: Any) -> None:
    """JupyterLab has them answered in two threads."""
    ids = live._ids(live.sentence)
    usual = live.touched.scores(ids)
    changes = {(2, 1): "silenced"}
    silenced = live.touched.scores(ids, changes)
    with ThreadPoolExecutor(2) as both:
        asked = [both.submit(live.touched.scores, ids, each) for each in ({}, changes) * 8]
    for number, answer in enumerate(asked):
        assert torch.equal(answer.result(), silenced if number % 2 else usual)
