# wrong: no check of shapes: copy_ broadcasts what it can, and raises a RuntimeError halfway where it cannot
# named: shapes_not_compared
from functools import reduce

NEW = {
    "embeddings.token.": "embeddings.word_embeddings.",
    "embeddings.position.": "embeddings.position_embeddings.",
    "embeddings.token_type.": "embeddings.token_type_embeddings.",
    "embeddings.norm.": "embeddings.LayerNorm.",
    "attention.query.": "attention.self.query.",
    "attention.key.": "attention.self.key.",
    "attention.value.": "attention.self.value.",
    "attention.output.": "attention.output.dense.",
    "attention_norm.": "attention.output.LayerNorm.",
    "feed_forward.expand.": "intermediate.dense.",
    "feed_forward.contract.": "output.dense.",
    "feed_forward_norm.": "output.LayerNorm.",
}
OLD = {".LayerNorm.gamma": ".LayerNorm.weight", ".LayerNorm.beta": ".LayerNorm.bias"}
LEFT_OUT = ["embeddings.position_ids", "pooler.dense.weight", "pooler.dense.bias"]


def theirs(name):
    if name.startswith("layers."):
        _, number, rest = name.split(".", 2)
        part = next(p for p in NEW if rest.startswith(p))
        return f"encoder.layer.{number}.{NEW[part]}{rest.removeprefix(part)}"
    part = next(p for p in NEW if name.startswith(p))
    return NEW[part] + name.removeprefix(part)


def clean(name):
    name = name.removeprefix("bert.")
    return reduce(lambda n, o: n.removesuffix(o) + OLD[o] if n.endswith(o) else n, OLD, name)


def load_bert_weights(model, state_dict):
    mine = {theirs(n): p for n, p in model.named_parameters()}
    given = [(clean(n), n) for n in state_dict if clean(n) not in LEFT_OUT]
    names = [n for n, _ in given]
    bad = [f"missing {n}" for n in mine if n not in names]
    bad += [f"unknown {raw}" for n, raw in given if n not in mine]
    bad += [f"twice {raw}" for n, raw in given if names.count(n) > 1]

    if bad:
        raise ValueError(", ".join(bad))
    for n, raw in given:
        mine[n].data.copy_(state_dict[raw])
