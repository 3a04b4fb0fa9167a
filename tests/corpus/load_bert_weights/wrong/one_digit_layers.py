# wrong: understands layers with one digit alone: a model of more than ten layers is refused
import re
from collections import defaultdict
from collections.abc import Mapping

import torch
from torch import Tensor, nn

RULES = [
    (r"embeddings\.word_embeddings\.weight", r"embeddings.token.weight"),
    (r"embeddings\.position_embeddings\.weight", r"embeddings.position.weight"),
    (r"embeddings\.token_type_embeddings\.weight", r"embeddings.token_type.weight"),
    (r"embeddings\.LayerNorm\.(weight|bias)", r"embeddings.norm.\1"),
    (r"encoder\.layer\.(\d)\.attention\.self\.(query|key|value)\.(weight|bias)", r"layers.\1.attention.\2.\3"),
    (r"encoder\.layer\.(\d)\.attention\.output\.dense\.(weight|bias)", r"layers.\1.attention.output.\2"),
    (r"encoder\.layer\.(\d)\.attention\.output\.LayerNorm\.(weight|bias)", r"layers.\1.attention_norm.\2"),
    (r"encoder\.layer\.(\d)\.intermediate\.dense\.(weight|bias)", r"layers.\1.feed_forward.expand.\2"),
    (r"encoder\.layer\.(\d)\.output\.dense\.(weight|bias)", r"layers.\1.feed_forward.contract.\2"),
    (r"encoder\.layer\.(\d)\.output\.LayerNorm\.(weight|bias)", r"layers.\1.feed_forward_norm.\2"),
]
IGNORED = re.compile(r"embeddings\.position_ids|pooler\.dense\.(weight|bias)")


def to_mine(name: str) -> str | None:
    """My name; "" = to be ignored; None = unknown."""
    name = re.sub(r"^bert\.", "", name)
    name = re.sub(r"\.LayerNorm\.gamma$", ".LayerNorm.weight", name)
    name = re.sub(r"\.LayerNorm\.beta$", ".LayerNorm.bias", name)
    if IGNORED.fullmatch(name):
        return ""
    for pattern, mine in RULES:
        if match := re.fullmatch(pattern, name):
            return match.expand(mine)
    return None


def load_bert_weights(model: nn.Module, state_dict: Mapping[str, Tensor]) -> None:
    own = dict(model.named_parameters())
    sources: dict[str, list[str]] = defaultdict(list)
    unknown = []
    for name in state_dict:
        mine = to_mine(name)
        if mine == "":
            continue
        if mine is None or mine not in own:
            unknown.append(name)
        else:
            sources[mine].append(name)
    missing = [f"{their_name(mine)} ({mine})" for mine in own if mine not in sources]
    twice = [name for names in sources.values() if len(names) > 1 for name in names]
    shape = [n for mine, names in sources.items() for n in names if state_dict[n].shape != own[mine].shape]
    if missing or unknown or twice or shape:
        raise ValueError(f"{missing=} {unknown=} {twice=} {shape=}")
    with torch.no_grad():
        for mine, (name,) in sources.items():
            own[mine].copy_(state_dict[name])


def their_name(mine: str) -> str:
    """Backwards, for the message."""
    number = re.search(r"layers\.(\d+)", mine)
    start = f"encoder.layer.{number[1]}." if number else "embeddings."
    table = {
        "embeddings.token": "word_embeddings", "embeddings.position": "position_embeddings",
        "embeddings.token_type": "token_type_embeddings", "embeddings.norm": "LayerNorm",
        "attention.query": "attention.self.query", "attention.key": "attention.self.key",
        "attention.value": "attention.self.value", "attention.output": "attention.output.dense",
        "attention_norm": "attention.output.LayerNorm", "feed_forward.expand": "intermediate.dense",
        "feed_forward.contract": "output.dense", "feed_forward_norm": "output.LayerNorm",
    }
    stem, _, end = re.sub(r"^layers\.\d+\.", "", mine).rpartition(".")
    return f"{start}{table[stem]}.{end}"
