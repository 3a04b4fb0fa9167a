"""Writes the attacks that cannot lie in a repository: links, FIFOs, bombs, hostile names."""

from __future__ import annotations

import io
import json
import os
import socket
import stat
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

from tests.submitted import notebook_json, write_notebook

WRONG = "def softmax(x, dim):\n    return x\n"
RIGHT = """def softmax(x, dim):
    e = (x - x.amax(dim, keepdim=True)).exp()
    return e / e.sum(dim, keepdim=True)
"""
LONG = "x" * 247


def build(folder: Path, elsewhere: Path) -> None:
    """Write every attack into `folder`; `elsewhere` is another learner's, with a right answer."""
    right = elsewhere / "right.py"
    right.write_text(RIGHT)
    for write in (_links, _files, _notebooks, _zips, _names):
        write(folder, elsewhere)


def _links(folder: Path, elsewhere: Path) -> None:
    right = elsewhere / "right.py"
    (folder / "link.py").symlink_to(right)
    (folder / "link_to_folder").symlink_to(elsewhere)
    inside = folder / "linked_inside"
    inside.mkdir()
    (inside / "softmax.py").symlink_to(right)
    (inside / "me").symlink_to(inside)
    (inside / "root").symlink_to("/")
    (inside / "zero.ipynb").symlink_to("/dev/zero")
    (inside / "gone.py").symlink_to(folder / "nowhere.py")
    wrong = elsewhere / "wrong.txt"
    wrong.write_text(WRONG)
    os.link(wrong, folder / "hard_link.py")
    (folder / "device.py").symlink_to("/dev/zero")


def _files(folder: Path, elsewhere: Path) -> None:
    os.mkfifo(folder / "fifo.py")
    inside = folder / "fifo_inside"
    inside.mkdir()
    os.mkfifo(inside / "fifo.ipynb")
    here = os.open(inside, os.O_RDONLY)
    try:  # by descriptor: a socket's path must be short
        with socket.socket(socket.AF_UNIX) as end:
            end.bind(f"/proc/self/fd/{here}/socket.py")
    finally:
        os.close(here)
    (folder / "folder.py").mkdir()
    (folder / "folder.py" / "softmax.txt").write_text(RIGHT)
    deep = folder / "deep_folder"
    for _ in range(30):
        deep = deep / "d"
    deep.mkdir(parents=True)
    (deep / "softmax.py").write_text(RIGHT)
    many = folder / "many_entries"
    many.mkdir()
    for number in range(6_000):
        os.mknod(many / f"{number}.py")
    (many / "softmax.py").write_text(WRONG)
    with open(folder / "large.py", "wb") as file:
        file.truncate(200_000_000)
    (folder / "empty.py").touch()
    (folder / "tangled.py").write_text(
        "a = 1\n" + "a = a + a\n" * 9_900 + "def softmax(x, dim):\n    return a\n"
    )
    (folder / "empty_lines.py").write_text(WRONG + "\n\f" * 95_000)
    (folder / "empty_parts.py").write_text("\n" * 190_000 + "# %%\n(\n" * 190 + WRONG)
    slow = b"#" * 1_500_000 + b"-" + b"a" * 1_500_000
    (folder / "slow_encoding.py").write_bytes(f"# coding: punycode\n{WRONG}".encode() + slow)
    (folder / "nul.py").write_bytes(WRONG.encode() + b"\0" * 1000)
    (folder / "unreadable.py").write_text(WRONG)
    (folder / "unreadable.py").chmod(0)


def _notebooks(folder: Path, elsewhere: Path) -> None:
    def save(name: str, content: str | bytes) -> None:
        content = content if isinstance(content, bytes) else content.encode("utf-8")
        (folder / f"{name}.ipynb").write_bytes(content)

    with open(folder / "large.ipynb", "wb") as file:
        file.write(notebook_json(RIGHT).encode()[:-1] + b', "filler": "')
        for _ in range(200):
            file.write(b"x" * 1_000_000)
        file.write(b'"}')
    save("nested", '{"cells": ' + "[" * 100_000 + "]" * 100_000 + "}")
    save("wide", '{"cells": [' + "[]," * 2_000_000 + "[]]}")
    whole = notebook_json(WRONG)
    save("huge_number", whole.replace('"nbformat": 4', f'"nbformat": {"9" * 100_000}'))
    save("constants", whole.replace('"nbformat_minor": 5', '"nbformat_minor": NaN, "a": -Infinity'))
    save("format_99", whole.replace('"nbformat": 4', '"nbformat": 99'))
    cell = {"cell_type": "code", "input": WRONG, "language": "python", "outputs": []}
    save("format_2", json.dumps({"nbformat": 2, "worksheets": [{"cells": [cell]}]}))
    odd = [1, None, [], "x", {"cell_type": []}, {"cell_type": "code", "source": {"a": 1}}]
    odd += [{"cell_type": "code", "source": [1, 2]}, {"cell_type": "code", "source": WRONG}]
    save("odd_cells", json.dumps({"cells": odd}))
    save("not_a_dict", json.dumps([{"cells": []}]))
    save("nul", notebook_json("\0" + WRONG))
    save("utf_16", b"\xff\xfe" + whole.encode("utf-16-le") + b"\x00\xd8")
    save("binary", bytes(range(256)) * 500)
    answer = {"cell_type": "markdown", "source": RIGHT, "metadata": {"solution": RIGHT}}
    said = {"output_type": "stream", "text": RIGHT}
    code = {"cell_type": "code", "source": "", "metadata": {"code": RIGHT}, "outputs": [said]}
    save("outputs", json.dumps({"cells": [answer, code], "metadata": {"code": RIGHT}}))
    save("globals", notebook_json(*_globals(37_000), "s()\n" * 9_200 + WRONG))
    record = {"grader": {"verdict": "passed", "points": 2.0}, "nbgrader": {"points": 100}}
    save("two", notebook_json(WRONG, **record))


def _globals(count: int) -> tuple[str, str]:
    """A function that is defined many times, each time with other names that its calls bind."""
    names = [chr(0x4E00 + n) for n in range(20_000)] + [chr(0xAC00 + n) for n in range(11_000)]
    names = [*names, *(chr(0x3400 + n) for n in range(6_000))][:count]
    chunks = [names[start : start + 50] for start in range(0, count, 50)]
    cells = [f"def s():\n global {','.join(each)}\n {'='.join(each)}=0\n" for each in chunks]
    half = len(cells) // 2
    return "".join(cells[:half]), "".join(cells[half:])


def _zips(folder: Path, elsewhere: Path) -> None:
    def save(name: str, *members: tuple[str | zipfile.ZipInfo, str]) -> Path:
        path = folder / f"{name}.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for member, content in members:
                archive.writestr(member, content)
        return path

    outside = ("../softmax.py", "/tmp/softmax.py", "a/../../softmax.py", "C:/x.py", "..\\x.py")
    save("escape", *((name, RIGHT) for name in outside))
    with (
        zipfile.ZipFile(folder / "bomb.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("softmax.py", "w") as member,
    ):
        for _ in range(1_000):
            member.write(b" " * 1_000_000)
    save("many", *((f"{number}.py", "") for number in range(20_000)))
    content = RIGHT.encode()
    for name in ("softmax.py", "a.zip", "b.zip"):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr(name, content)
        content = packed.getvalue()
    (folder / "nested.zip").write_bytes(content)
    special = []
    for name, kind in (
        ("link.py", stat.S_IFLNK),
        ("fifo.py", stat.S_IFIFO),
        ("d.py", stat.S_IFBLK),
    ):
        info = zipfile.ZipInfo(name)
        info.external_attr = (kind | 0o777) << 16
        special.append((info, str(elsewhere / "right.py")))
    save("links", *special)
    whole = save("encrypted", ("softmax.py", RIGHT)).read_bytes()
    at = whole.index(b"PK\x01\x02")
    flagged = whole[:6] + b"\x01\0" + whole[8 : at + 8] + b"\x01\0" + whole[at + 10 :]
    (folder / "encrypted.zip").write_bytes(flagged)
    long = save("lying_sizes", ("softmax.py", WRONG + "#" * 500_000)).read_bytes()
    at = long.index(b"PK\x01\x02")
    (folder / "lying_sizes.zip").write_bytes(
        long[: at + 24] + struct.pack("<L", 10) + long[at + 28 :]
    )
    _overlap(folder / "overlap.zip")
    inside = folder / "zips"
    inside.mkdir()
    (inside / "0.py").write_text(WRONG)
    packed = save("zips/0", *((f"{number:02}.py", "#" * 999_000) for number in range(60)))
    for number in range(1, 500):
        os.link(packed, inside / f"{number}.zip")
    (folder / "cut.zip").write_bytes(whole[: len(whole) // 2])
    (folder / "not_a_zip.zip").write_text("PK")
    names = ("x" * 300, "two\nlines", "\x1b[2J", "Case", "case", "é", "e\u0301", "=1", "<b>")
    save("names", *((f"{name}.py", WRONG) for name in names))
    shadows = ("torch", "json", "grader", "conftest", "sitecustomize", "pytest", "worker/answering")
    replaced = "raise SystemExit(0)\n"
    save("shadows", ("z.py", WRONG), *((f"{name}.py", replaced) for name in shadows))


def _overlap(path: Path) -> None:
    """A thousand directory entries for one member, each of a megabyte."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("00000.py", (WRONG + "#" * 90_000))
    content = packed.getvalue()
    at, end = content.index(b"PK\x01\x02"), content.index(b"PK\x05\x06")
    entry = content[at:end]
    entries = b"".join(entry.replace(b"00000", b"%05d" % number) for number in range(1_000))
    tail = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1_000, 1_000, len(entries), at, 0)
    path.write_bytes(content[:at] + entries + tail)


def _names(folder: Path, elsewhere: Path) -> None:
    hostile = ("\n", "..\\", "\x1b[2J\x1b]0;passed\x07", "<img src=x onerror=alert(1)>", LONG)
    for name in (*hostile, "Twin", "e\u0301", "\u202egnp"):
        (folder / f"{name}.py").write_text(WRONG)
    (folder / "twin.py").write_text(RIGHT)
    (folder / "\u00e9.py").write_text(RIGHT)


def honest() -> dict[str, Callable[[Path], object]]:
    """Writers of honest submissions, by suffix: right, wrong, unfinished, each in its way."""
    masked = (
        "import torch\ndef masked_softmax(scores, mask):\n"
        "    return softmax(scores.masked_fill(mask == 0, float('-inf')), -1)\n"
    )
    attention = (
        "def scaled_dot_product_attention(query, key, value, mask=None):\n"
        "    scores = query @ key.transpose(1, 2) / key.shape[-1] ** 0.5\n"
        "    weights = softmax(scores, -1) if mask is None else masked_softmax(scores, mask)\n"
        "    return weights @ value\n"
    )
    unstable = "def softmax(x, dim):\n    e = x.exp()\n    return e / e.sum(dim, keepdim=True)\n"
    other = "def softmax(x, dim):\n    return (x - x.logsumexp(dim, keepdim=True)).exp()\n"
    stub = "def softmax(x, dim):\n    raise NotImplementedError\n"

    def script(text: str) -> Callable[[Path], object]:
        return lambda stem: stem.with_suffix(".py").write_text(text)

    def notebook(*cells: str) -> Callable[[Path], object]:
        return lambda stem: write_notebook(stem.with_suffix(".ipynb"), *cells)

    return {
        "right": script(RIGHT + masked + attention),
        "notebook": notebook(RIGHT, masked, attention),
        "other": script(other + masked),
        "unstable": script(unstable + masked),
        "wrong": script(WRONG + masked),
        "masked alone": script(masked),
        "stub": notebook(stub, masked),
        "no answer": notebook("x = 1"),
        "error": script("def softmax(x, dim):\n    return y\n"),
    }
