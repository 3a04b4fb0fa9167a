"""Says which sizes of a module do not come from its config, by shapes alone; runs nothing."""

from collections.abc import Iterable, Mapping
from itertools import combinations

from ...candidate.candidate_module import CandidateModule
from ...candidate.message import Choice, Message, say
from ...diagnosis.interpretation.module_subject import ModuleSubject
from ...worker.values import Config

# In this order a table or a map that fits no size of the config is taken for one of these.
_TABLES = ("vocab_size", "max_position_embeddings", "type_vocab_size")
_MAPS = ("intermediate_size", "num_labels")
_OWN: dict[str, tuple[str, ...]] = {
    "Embeddings": _TABLES,
    "MultiHeadAttention": (),
    "CrossAttention": (),
    "Pooler": (),
    "TransformerEncoder": (*_TABLES, "intermediate_size"),
    "BertEncoder": (*_TABLES, "intermediate_size"),
    "TransformerForSequenceClassification": (*_TABLES, *_MAPS),
}
_FUSED = 6  # so many maps may lie in one tensor


def not_of_the_config(subject: ModuleSubject, module: CandidateModule) -> Message | None:
    """A sentence on a size that is not the config's; None where all may come from there."""
    fields = _fields(subject)
    if not fields:
        return None
    hidden = fields["hidden_size"]
    shapes = {p.name: p.shape for p in module.parameters if p.alias_of is None}
    found = {size for shape in shapes.values() for size in shape}
    own = _OWN.get(subject.exercise, ("intermediate_size",))
    absent = [name for name in ("hidden_size", *own) if not _among(fields[name], found)]
    sizes = [fields[name] for name in own]
    tables = [fields[name] for name in own if name in _TABLES]  # several may be one
    sizes += [sum(some) for many in (2, 3) for some in combinations(tables, many)]
    # With heads of its own each, a map has their width.
    widths = [hidden, hidden // fields["num_attention_heads"], fields["num_attention_heads"]]
    for name, shape in shapes.items():
        foreign = any(size > 1 and not _explained(size, [*sizes, *widths]) for size in shape)
        if foreign and absent:
            return say(
                "Which sizes come from the config? It says that {} is {}, but {} is {}.",
                Choice(absent[0], len(own) + 1),
                fields[absent[0]],
                repr(name[:80]),
                list(shape),
            )
    return None


def _fields(subject: ModuleSubject) -> Mapping[str, int]:
    config = subject.arguments[0]
    return config.fields if isinstance(config, Config) else {}


def _among(size: int, found: Iterable[int]) -> bool:
    return any(one % size == 0 and one <= _FUSED * size for one in found)


def _explained(size: int, known: Iterable[int]) -> bool:
    """Whether it is a size of the config, or several of them in one."""
    return any(size in (one + 1, *range(one, _FUSED * one + 1, one)) for one in known)
