"""A line is told in which one idiom stands for another that looks nearly alike."""

from __future__ import annotations

import pytest

from tests.changed_lines import told

CASES = {
    "brackets": (
        "attention_scores",
        "return query @ key.mT / query.shape[-1] ** 1 / 2",
        "with the two parts",
    ),
    "a bracket that closes too early": (
        "gelu",
        "return x * 0.5 * (1 + torch.erf(x) / 2**0.5)",
        "with the two parts",
    ),
    "axes read in another order": (
        "merge_heads",
        "return x.reshape(len(x), x.shape[2], x.shape[1] * x.shape[3])",
        "what may be missing",
    ),
    "a way back that is none": (
        "softmax",
        "y = x.movedim(dim, 0)\n    e = (y - y.amax(0)).exp()\n"
        "    return (e / e.sum(0)).transpose(0, dim)",
        "what may be missing",
    ),
    "one row many times": (
        "pad_batch",
        "most = max(map(len, lists))\n    rows = [[pad_id] * most] * len(lists)\n"
        "    for row, ids in zip(rows, lists):\n        row[: len(ids)] = ids\n"
        "    mask = [[int(i < len(ids)) for i in range(most)] for ids in lists]\n"
        "    return torch.tensor(rows), torch.tensor(mask)",
        "with the two parts",
    ),
    "the greatest list for the longest": (
        "pad_batch",
        "most = len(max(lists))\n    rows = [ids + [pad_id] * (most - len(ids)) for ids in lists]\n"
        "    mask = [[int(i < len(ids)) for i in range(most)] for ids in lists]\n"
        "    return torch.tensor(rows), torch.tensor(mask)",
        "arguments of a call",
    ),
    "what follows is never reached": (
        "gelu",
        "half = torch.erf(x / 2**0.5) / 2\n    return half\n    return x * (half + 0.5)",
        "one too many",
    ),
    "nothing written": (
        "split_heads",
        "x = x.unflatten(-1, (num_heads, -1))\n    x.transpose(1, 2)\n    return x",
        "",
    ),
    "integers that pick as a mask is to": (
        "mean_pool",
        "found = zip(hidden_state, attention_mask)\n    means = []\n    for row, real in found:\n"
        "        means.append(row[real].mean(0))\n    return torch.stack(means)",
        "what may be missing",
    ),
}  # fmt: skip
_HEADS = {
    "attention_scores": "query, key",
    "cross_entropy": "logits, labels",
    "mean_pool": "hidden_state, attention_mask",
    "gelu": "x",
    "merge_heads": "x",
    "pad_batch": "lists, pad_id=0",
    "softmax": "x, dim",
    "split_heads": "x, num_heads",
}


@pytest.mark.parametrize("name", CASES)
def test_the_line_is_told(name: str) -> None:
    exercise, body, words = CASES[name]
    code = f"import torch\ndef {exercise}({_HEADS[exercise]}):\n    {body}\n"
    found = told(exercise, code)
    assert found
    assert words in found.partition("\n")[2]
