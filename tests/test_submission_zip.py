"""Zips are read in memory and within bounds: no way out of them, no links, no bombs."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.submission import Submission, find_submissions, load_submission
from tests.counted import within
from tests.submitted import EXERCISES, execute, notebook_json, write_zip

ANSWER = "def softmax(x):\n    return x + 1"


def special(name: str, mode: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = mode << 16
    return info


def random_text(content: bytes, number: int) -> bytes:
    """The content with enough noise before it to be no bomb."""
    noise = random.Random(number).randbytes(100_000).hex().encode()
    return noise + content[len(noise) :]


def labels(work: Submission) -> list[str]:
    return [cell.label for cell in work.cells]


def test_a_zip_of_notebooks(tmp_path: Path) -> None:
    path = write_zip(
        tmp_path / "ann.zip",
        ("b.ipynb", notebook_json("b = 1")),
        ("deep/a.ipynb", notebook_json(ANSWER)),
        ("z.py", "z = 1"),
        ("__MACOSX/._a.ipynb", b"junk"),
        (".ipynb_checkpoints/a.ipynb", notebook_json("old = 1")),
        ("notes.txt", "words"),
        ("picture.png", b"no code reads it"),
        ("inner.zip", b"PK"),
        ("inner.7z", b"7z\xbc\xaf\x27\x1c"),
        ("conftest.py", "raise SystemExit"),
    )
    work = load_submission(path, EXERCISES)
    assert work.learner == "ann"
    seven, broken = work.problems
    assert "inner.7z: is an archive of the kind 7z" in seven and "inner.zip: is no re" in broken
    code = ["b.ipynb, cell 1", "deep/a.ipynb, cell 1", "conftest.py", "z.py"]
    assert labels(work) == [*code, "notes.txt"]  # which code may read
    assert execute(work.slice("softmax"))["softmax"](1) == 2


def test_a_zip_in_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "ann_assignsubmission_file"
    folder.mkdir()
    write_zip(folder / "work.zip", ("a.ipynb", notebook_json(ANSWER)))
    work = load_submission(folder, EXERCISES)
    assert labels(work) == ["work.zip/a.ipynb, cell 1"] and not work.problems


def packed(kind: str, *members: tuple[str, bytes | str]) -> bytes:
    """These files in an archive of one kind."""
    whole = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(whole, "w") as archive:
            for name, content in members:
                archive.writestr(name, content)
        return whole.getvalue()
    with tarfile.open(fileobj=whole, mode=kind.replace("tar", "w").replace(".", ":")) as tar:
        for name, content in members:
            data = content.encode() if isinstance(content, str) else content
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return whole.getvalue()


@pytest.mark.parametrize("kind", ["zip", "tar", "tar.gz", "tar.bz2", "tar.xz"])
@pytest.mark.parametrize("within", ["alone", "in a folder", "in a zip", "in a tar in a zip"])
def test_archives_of_other_kinds_and_in_archives(kind: str, within: str, tmp_path: Path) -> None:
    content, name = packed(kind, ("hw/a.ipynb", notebook_json(ANSWER))), f"ann.{kind}"
    if within == "in a tar in a zip":
        content, name = packed("tar", (name, content)), "ann.tar"
    if within.endswith("in a zip"):
        content, name = packed("zip", (name, content)), "ann.zip"
    folder = tmp_path / ("ann" if within == "in a folder" else "")
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(content)
    [found] = find_submissions(tmp_path)
    work = load_submission(found.path, EXERCISES, found.learner)
    assert (work.learner, work.problems) == ("ann", ())
    assert execute(work.slice("softmax"))["softmax"](1) == 2


def test_a_single_file_in_gzip(tmp_path: Path) -> None:
    (tmp_path / "ann.ipynb.gz").write_bytes(gzip.compress(notebook_json(ANSWER).encode()))
    work = load_submission(tmp_path / "ann.ipynb.gz", EXERCISES)
    assert labels(work) == ["ann.ipynb, cell 1"] and not work.problems


LINK = tarfile.TarInfo("x.py")
LINK.type, LINK.linkname = tarfile.SYMTYPE, "/etc/passwd"
# What takes a while to make is made by the test that wants it.
IN_TARS: dict[str, bytes | Callable[[], bytes]] = {
    "bomb": lambda: gzip.compress(b"\0" * 200_000_000, 9),
    "bomb in bzip2": lambda: bz2.compress(b"\0" * 45_000_000) * 3,
    "bomb in xz": lambda: lzma.compress(b"\0" * 45_000_000, preset=0) * 3,
    "xz that asks for memory": lzma.compress(
        b"", filters=[{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 1 << 28}]
    ),
    "cut": gzip.compress(random.Random(0).randbytes(9_000))[:-3_000],
    "cut in bzip2": bz2.compress(random.Random(0).randbytes(9_000))[:-3_000],
    "cut in xz": lzma.compress(random.Random(0).randbytes(9_000))[:-3_000],
    "up": packed("tar.gz", ("../x.py", "x = 1")),
    "absolute": packed("tar", ("/tmp/x.py", "x = 1")),
    "link": LINK.tobuf() + bytes(1_024),
    "sizes that lie": packed("tar", ("x.py", "x = 1"))[:700],
    "seven": b"7z\xbc\xaf\x27\x1c" + bytes(100),
    "rar": b"Rar!\x1a\x07\x01\x00",
    "zstd": b"\x28\xb5\x2f\xfd" + bytes(100),
    "nested": packed("zip", ("b.zip", packed("zip", ("c.zip", packed("zip", ("d.zip", b"PK")))))),
}


@pytest.mark.parametrize("case", IN_TARS)
def test_traps_in_other_archives_are_left_out_and_told(case: str, tmp_path: Path) -> None:
    content = IN_TARS[case]
    (tmp_path / "work.tgz").write_bytes(content() if callable(content) else content)
    (tmp_path / "answer.py").write_text(ANSWER)
    work = within(10_000, load_submission, tmp_path, EXERCISES)
    assert labels(work) == ["answer.py"] and len(work.problems) == 1, work.problems
    assert work.problems[0].isprintable() and work.problems[0].startswith("work.tgz")


TRAPS: dict[str, tuple[str | zipfile.ZipInfo, bytes | str]] = {
    "up": ("../x.py", "x = 1"),
    "up within": ("a/../../x.py", "x = 1"),
    "up with backslashes": ("..\\x.py", "x = 1"),
    "absolute": ("/tmp/x.py", "x = 1"),
    "drive": ("C:/x.py", "x = 1"),
    "link": (special("x.py", stat.S_IFLNK | 0o777), "/etc/passwd"),
    "fifo": (special("x.py", stat.S_IFIFO | 0o666), ""),
    "device": (special("x.py", stat.S_IFCHR | 0o666), ""),
    "deep": ("d/" * 100 + "x.py", "x = 1"),
    "bomb": ("x.ipynb", b" " * 15_000_000),
    "large": ("x.ipynb", random.Random(0).randbytes(20_500_000)),
    "no notebook": ("x.ipynb", "{"),
    "strange name": ("\x1b[2J\n<b>\u202e.ipynb", "{"),
}


@pytest.mark.parametrize("case", TRAPS)
def test_traps_in_a_zip_are_left_out_and_told(tmp_path: Path, case: str) -> None:
    path = write_zip(tmp_path / "ann.zip", ("answer.py", ANSWER), TRAPS[case])
    load_submission(path, EXERCISES)  # what Python makes when it is first asked counts for nobody
    # It takes 800, or 1,500 for the deep one; to unpack the bomb takes 10,000 more.
    work = within(5_000, load_submission, path, EXERCISES)
    assert labels(work) == ["answer.py"] and len(work.problems) == 1
    assert work.problems[0].isprintable()
    assert [entry.name for entry in tmp_path.iterdir()] == ["ann.zip"]


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_methods_that_unpack_without_bounds_are_refused(tmp_path: Path, method: int) -> None:
    with zipfile.ZipFile(tmp_path / "ann.zip", "w", method) as archive:
        archive.writestr("x.py", ANSWER)
    assert "unusual" in load_submission(tmp_path / "ann.zip", EXERCISES).problems[0]


def test_a_zip_that_lies_about_its_sizes(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "ann.zip", ("x.ipynb", b" " * 18_000_000))
    content = bytearray(path.read_bytes())
    for place in (22, content.rindex(b"PK\x01\x02") + 24):
        content[place : place + 4] = struct.pack("<I", 1_000)
    path.write_bytes(content)
    assert load_submission(path, EXERCISES).problems


def overlapping(content: bytes, members: int) -> bytes:
    """A zip of one packed content under many names.

    Each member but the last begins with a stored block, which holds the header of the next one, and
    goes on as that one does (David Fifield, "A better zip bomb", 2019).
    """
    packer = zlib.compressobj(wbits=-15)
    packed = packer.compress(content) + packer.flush()
    rest = b""
    entries: list[tuple[bytes, bytes, int]] = []
    for number in reversed(range(members)):
        name = f"{number:03}.ipynb".encode()
        sizes = (zlib.crc32(content), len(packed), len(content), len(name), 0)
        fields = struct.pack("<5H3L2H", 20, 0, zipfile.ZIP_DEFLATED, 0, 0, *sizes)
        header = b"PK\3\4" + fields + name
        rest = header + packed
        entries.append((fields, name, len(rest)))
        packed = b"\0" + struct.pack("<2H", len(header), len(header) ^ 0xFFFF) + rest
        content = header + content
    directory = b"".join(
        b"PK\1\2\x14\0" + fields + struct.pack("<3H2L", 0, 0, 0, 0, len(rest) - length) + name
        for fields, name, length in entries
    )
    end = struct.pack("<4H2LH", 0, 0, members, members, len(directory), len(rest), 0)
    return rest + directory + b"PK\5\6" + end


def test_a_zip_whose_members_overlap(tmp_path: Path) -> None:
    """Many names for one packed content: what comes out is counted, not what is stored."""
    path = tmp_path / "ann.zip"
    path.write_bytes(overlapping(random.Random(0).randbytes(3_000_000).hex().encode(), 150))
    # It takes 72,000 to unpack ten of them and refuse the rest; to unpack all takes 865,000.
    work = within(250_000, load_submission, path, EXERCISES)
    assert work.problems and not work.cells


def test_all_zips_of_a_folder_share_one_budget(tmp_path: Path) -> None:
    folder = tmp_path / "ann"
    folder.mkdir()
    member = b"#" * 15_000_000
    packed = write_zip(tmp_path / "z.zip", *((f"{n}.py", random_text(member, n)) for n in range(3)))
    for number in range(30):
        (folder / f"{number:02}.zip").write_bytes(packed.read_bytes())
    (folder / "zz.py").write_text(ANSWER)
    # It takes 48,000 to unpack four members and refuse the rest; to unpack all took 920,000.
    work = within(120_000, load_submission, folder, EXERCISES)
    assert any("after 60 MB" in problem for problem in work.problems)
    assert labels(work) == ["zz.py"]  # what is not packed comes first


def test_what_is_damaged_costs_what_it_unpacks_to(tmp_path: Path) -> None:
    members = ((f"{n:03}.py", random_text(b"#" * 15_000_000, n)) for n in range(60))
    path = write_zip(tmp_path / "ann.zip", *members)
    content = bytearray(path.read_bytes())
    at = content.index(b"PK\x01\x02")
    while (at := content.find(b"PK\x01\x02", at + 1)) > 0:
        content[at + 16] ^= 1  # the checksum, which zipfile compares at the very end
    path.write_bytes(content)
    # It takes 49,000 to unpack four members and refuse the rest; to unpack all took 610,000.
    work = within(120_000, load_submission, path, EXERCISES)
    assert len(work.problems) == 60 and not work.cells


def test_the_lists_of_names_in_a_folder_of_zips_share_one_budget(tmp_path: Path) -> None:
    packed = write_zip(tmp_path / "z.zip", *((f"{n}.txt", "") for n in range(4_000)))
    folder = tmp_path / "ann"
    folder.mkdir()
    for number in range(60):
        (folder / f"{number:02}.zip").write_bytes(packed.read_bytes())
    # It takes some 8,000,000 to read 13 of the lists, and more than four times that to read all.
    work = within(12_000_000, load_submission, folder, EXERCISES)
    assert len(work.problems) == 60 - 13
    assert "one zip of notebooks" in work.problems[0]


def test_a_zip_of_too_many_entries(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "a.zip", *((f"{number}.py", "") for number in range(5_001)))
    assert "5,000 entries" in load_submission(path, EXERCISES).problems[0]
    path = write_zip(tmp_path / "b.zip", *((f"{n:03}.py", "x = 1") for n in range(250)))
    work = load_submission(path, EXERCISES)
    assert len(work.cells) == 200 and len(work.problems) == 1


def test_a_zip_with_an_endless_list_of_names(tmp_path: Path) -> None:
    path = tmp_path / "ann.zip"
    names = (b"PK\x01\x02" + b"\0" * 42) * 500_000
    end = b"PK\x05\x06\0\0\0\0" + struct.pack("<HHIIH", 1, 1, len(names), 0, 0)
    path.write_bytes(names + end)
    work = within(5_000, load_submission, path, EXERCISES)  # to read the names takes 59 for each
    assert "list of names" in work.problems[0]


def test_two_members_of_one_name(tmp_path: Path) -> None:
    with pytest.warns(UserWarning):
        path = write_zip(tmp_path / "ann.zip", ("x.py", "a = 1"), ("x.py", ANSWER))
    work = load_submission(path, EXERCISES)
    assert labels(work) == ["x.py"]
    assert execute(work.slice("softmax"))["softmax"](1) == 2


def test_an_encrypted_zip(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "ann.zip", ("x.py", ANSWER))
    content = bytearray(path.read_bytes())
    content[6] |= 1
    content[content.rindex(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(content)
    assert "password" in load_submission(path, EXERCISES).problems[0]
