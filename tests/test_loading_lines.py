"""Code that loads tensors by name is told what it takes over; right code is told no line."""

from __future__ import annotations

from functools import partial

import pytest

from grader.candidate.candidate import Candidate
from grader.curriculum.references import reference_submission
from grader.diagnosis.locating.where import where
from tests.candidates import checks, loaded, solution
from tests.corpus import Case, cases

STYLES = [case for case in cases() if case.exercise == "load_bert_weights" and case.right]

PAIRS = """
import torch
PAIRS = [
    ("embeddings.token", "embeddings.word_embeddings"),
    ("embeddings.position", "embeddings.position_embeddings"),
    ("embeddings.token_type", "embeddings.token_type_embeddings"),
    ("embeddings.norm", "embeddings.LayerNorm"),
]
LAYER = {
    "attention.query": "attention.self.query",
    "attention.key": "attention.self.key",
    "attention.value": "attention.self.value",
    "attention.output": "attention.output.dense",
    "attention_norm": "attention.output.LayerNorm",
    "feed_forward.expand": "intermediate.dense",
    "feed_forward.contract": "output.dense",
    "feed_forward_norm": "output.LayerNorm",
}
SKIP = {"embeddings.position_ids", "pooler.dense.weight", "pooler.dense.bias"}

def clean(key):
    if key.startswith("bert."):
        key = key[len("bert."):]
    key = key.replace("LayerNorm.gamma", "LayerNorm.weight")
    key = key.replace("LayerNorm.beta", "LayerNorm.bias")
    return key

def load_bert_weights(model, state_dict):
    params = dict(model.named_parameters())
    table = {}
    for mine, their in PAIRS:
        for end in ("weight", "bias"):
            if f"{mine}.{end}" in params:
                table[f"{their}.{end}"] = f"{mine}.{end}"
    number = 0
    while f"layers.{number}.attention.query.weight" in params:
        for mine, their in LAYER.items():
            for end in ("weight", "bias"):
                table[f"encoder.layer.{number}.{their}.{end}"] = f"layers.{number}.{mine}.{end}"
        number += 1
    found = {}
    problems = []
    for raw, tensor in state_dict.items():
        key = clean(raw)
        if key in SKIP:
            continue
        if key not in table:
            problems.append(raw)
        elif table[key] in found:
            problems.append(raw)
        elif tensor.shape != params[table[key]].shape:
            problems.append(raw)
            found[table[key]] = tensor
        else:
            found[table[key]] = tensor
    problems += [name for name in params if name not in found]
    if problems:
        raise ValueError("does not fit: " + ", ".join(problems))
    with torch.no_grad():
        for name, tensor in found.items():
            params[name].copy_(tensor)
"""
CHAIN = """
import torch
def to_theirs(name):
    parts = name.split(".")
    end = parts[-1]
    if parts[0] == "embeddings":
        if parts[1] == "token":
            return "embeddings.word_embeddings." + end
        if parts[1] == "position":
            return "embeddings.position_embeddings." + end
        if parts[1] == "token_type":
            return "embeddings.token_type_embeddings." + end
        return "embeddings.LayerNorm." + end
    start = "encoder.layer." + parts[1] + "."
    if parts[2] == "attention" and parts[3] == "output":
        return start + "attention.output.dense." + end
    if parts[2] == "attention":
        return start + "attention.self." + parts[3] + "." + end
    if parts[2] == "attention_norm":
        return start + "attention.output.LayerNorm." + end
    if parts[2] == "feed_forward_norm":
        return start + "output.LayerNorm." + end
    if parts[3] == "expand":
        return start + "intermediate.dense." + end
    return start + "output.dense." + end

def load_bert_weights(model, state_dict):
    given = {}
    for old in state_dict:
        new = old
        if new.startswith("bert."):
            new = new[5:]
        if new.endswith("LayerNorm.gamma"):
            new = new[:-5] + "weight"
        if new.endswith("LayerNorm.beta"):
            new = new[:-4] + "bias"
        if new in ("embeddings.position_ids", "pooler.dense.weight", "pooler.dense.bias"):
            continue
        if new in given:
            raise ValueError(f"{old} is there twice")
        given[new] = state_dict[old]
    todo = []
    bad = []
    for name, parameter in model.named_parameters():
        their = to_theirs(name)
        if their not in given:
            bad.append(their)
            continue
        tensor = given.pop(their)
        if tensor.shape != parameter.shape:
            bad.append(their)
        todo.append((parameter, tensor))
    bad.extend(given)
    if bad:
        raise ValueError(str(bad))
    for parameter, tensor in todo:
        parameter.data.copy_(tensor)
"""
REGEX = """
import re
import torch
RULES = [
    (r"^embeddings\\.token\\.", "embeddings.word_embeddings."),
    (r"^embeddings\\.position\\.", "embeddings.position_embeddings."),
    (r"^embeddings\\.token_type\\.", "embeddings.token_type_embeddings."),
    (r"^embeddings\\.norm\\.", "embeddings.LayerNorm."),
    (r"^layers\\.", "encoder.layer."),
    (r"attention\\.(query|key|value)\\.", r"attention.self.\\1."),
    (r"attention\\.output\\.", "attention.output.dense."),
    (r"attention_norm\\.", "attention.output.LayerNorm."),
    (r"feed_forward\\.expand\\.", "intermediate.dense."),
    (r"feed_forward\\.contract\\.", "output.dense."),
    (r"feed_forward_norm\\.", "output.LayerNorm."),
]
def their_name(name):
    for pattern, text in RULES:
        name = re.sub(pattern, text, name)
    return name
def modern(name):
    name = re.sub(r"^bert\\.", "", name)
    name = re.sub(r"LayerNorm\\.gamma$", "LayerNorm.weight", name)
    return re.sub(r"LayerNorm\\.beta$", "LayerNorm.bias", name)
def load_bert_weights(model, state_dict):
    wanted = {their_name(n): p for n, p in model.named_parameters()}
    names = [modern(n) for n in state_dict]
    if len(set(names)) < len(names):
        raise ValueError(f"twice: {[n for n in names if names.count(n) > 1]}")
    given = {modern(n): t for n, t in state_dict.items()}
    for n in ("embeddings.position_ids", "pooler.dense.weight", "pooler.dense.bias"):
        given.pop(n, None)
    odd = [n for n in wanted if n not in given] + [n for n in given if n not in wanted]
    odd += [n for n in wanted if n in given and wanted[n].shape != given[n].shape]
    if odd:
        raise ValueError(f"{odd}")
    with torch.no_grad():
        for n in wanted:
            wanted[n].copy_(given[n])
"""
DIRECT = """
import torch
def load_bert_weights(model, state_dict):
    sd = {}
    for k, v in state_dict.items():
        k = k.removeprefix("bert.").replace("LayerNorm.gamma", "LayerNorm.weight")
        k = k.replace("LayerNorm.beta", "LayerNorm.bias")
        if k in sd:
            raise ValueError("twice " + k)
        sd[k] = v
    for k in ["embeddings.position_ids", "pooler.dense.weight", "pooler.dense.bias"]:
        sd.pop(k, None)
    jobs = []
    missing = []
    def put(parameter, key):
        if key not in sd or sd[key].shape != parameter.shape:
            missing.append(key)
        else:
            jobs.append((parameter, sd.pop(key)))
    def both(layer, key):
        put(layer.weight, key + ".weight")
        put(layer.bias, key + ".bias")
    e = model.embeddings
    put(e.token.weight, "embeddings.word_embeddings.weight")
    put(e.position.weight, "embeddings.position_embeddings.weight")
    put(e.token_type.weight, "embeddings.token_type_embeddings.weight")
    both(e.norm, "embeddings.LayerNorm")
    for i, layer in enumerate(model.layers):
        p = f"encoder.layer.{i}."
        both(layer.attention.query, p + "attention.self.query")
        both(layer.attention.key, p + "attention.self.key")
        both(layer.attention.value, p + "attention.self.value")
        both(layer.attention.output, p + "attention.output.dense")
        both(layer.attention_norm, p + "attention.output.LayerNorm")
        both(layer.feed_forward.expand, p + "intermediate.dense")
        both(layer.feed_forward.contract, p + "output.dense")
        both(layer.feed_forward_norm, p + "output.LayerNorm")
    if missing or sd:
        raise ValueError(f"missing {missing}, unknown {list(sd)}")
    with torch.no_grad():
        for parameter, tensor in jobs:
            parameter.copy_(tensor)
"""
MINE = """
import torch
def load_bert_weights(model, state_dict):
    own = dict(model.named_parameters())
    converted = {}
    for their_name, tensor in state_dict.items():
        name = their_name
        name = name.removeprefix("bert.")
        name = name.replace("LayerNorm.gamma", "LayerNorm.weight")
        name = name.replace("LayerNorm.beta", "LayerNorm.bias")
        if name in ("embeddings.position_ids", "pooler.dense.weight", "pooler.dense.bias"):
            continue
        name = name.replace("embeddings.word_embeddings", "embeddings.token")
        name = name.replace("position_embeddings", "position")
        name = name.replace("token_type_embeddings", "token_type")
        name = name.replace("embeddings.LayerNorm", "embeddings.norm")
        name = name.replace("encoder.layer", "layers")
        name = name.replace("attention.output.LayerNorm", "attention_norm")
        name = name.replace("attention.output.dense", "attention.output")
        name = name.replace("attention.self.", "attention.")
        name = name.replace("intermediate.dense", "feed_forward.expand")
        name = name.replace("output.LayerNorm", "feed_forward_norm")
        name = name.replace("output.dense", "feed_forward.contract")
        if name in converted:
            raise ValueError("twice: " + their_name)
        converted[name] = tensor
    unknown = [n for n in converted if n not in own]
    missing = [n for n in own if n not in converted]
    if unknown or missing:
        raise ValueError(f"unknown {unknown} missing {missing}")
    for n in own:
        if own[n].shape != converted[n].shape:
            raise ValueError("shape of " + n)
    with torch.no_grad():
        for n in own:
            own[n].copy_(converted[n])
"""


def with_model(code: str) -> Candidate:
    """The candidate beside the model that it loads into."""
    cut = reference_submission().slice("BertEncoder")
    assert cut is not None
    model = "\n\n".join(unit.code for unit in cut.units)
    return loaded("load_bert_weights", f"{code}\n\n{model}")


@pytest.mark.parametrize("code", [PAIRS, CHAIN, REGEX, DIRECT, MINE])
def test_right_code_is_told_no_line(code: str) -> None:
    candidate = with_model(code)
    assert checks().passes(candidate, 0, ())
    assert where(candidate, 0) is None


@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.name)
def test_other_styles_are_told_no_line(style: Case) -> None:
    code = style.source
    candidate = loaded(style.exercise, code) if "BertEncoder" in code else with_model(code)
    assert where(candidate, 0) is None


def test_the_solution_is_told_no_line() -> None:
    assert where(solution("load_bert_weights"), 0) is None


def test_a_condition_that_a_small_change_mends_is_told() -> None:
    candidate = with_model(CHAIN.replace("if tensor.shape != p", "if tensor.shape == p"))
    found = where(candidate, 0, partial(checks().passes, candidate, 0, ()))
    assert found is not None and found.source == "if tensor.shape == parameter.shape:"
    assert "the comparison" in found.message
