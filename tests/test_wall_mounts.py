"""What of this machine a worker sees: what exercises need, and nothing of the project's own."""

from __future__ import annotations

import importlib.metadata
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.wall import packages
from grader.wall.zygote_client import Zygote
from tests.wall_workers import X, call, load

_ROOT = Path(__file__).parent.parent
# What exercises need, and what people leave in their notebooks that none needs.
_NEEDED = ["torch", "numpy", "safetensors", "einops", "torch.optim", "torch._dynamo", "sqlite3"]
_OTHERS = [
    *("matplotlib.figure", "transformers", "tokenizers", "tqdm.auto", "rich.table", "pydantic"),
    *("bertviz", "IPython.display", "ipywidgets", "nbformat", "scipy.special", "sklearn", "pytest"),
]


@pytest.mark.isolation
def test_no_file_of_the_project_is_seen_but_the_workers_own(zygote: Zygote) -> None:
    """Files are known by their inodes, which no other name and no second mount hides."""
    secret = {identity: path for path in _own_files() if (identity := _identity(path))}
    assert len(secret) > 300
    code = f"""
import os
secret = {set(secret)!r}
def f(x):
    found = set()
    for folder, folders, names in os.walk("/"):
        if folder.startswith(("/proc", "/sys")):
            folders.clear()
            continue
        for name in [*names, "."]:
            try:
                status = os.stat(os.path.join(folder, name))
            except OSError:
                continue
            if (status.st_dev, status.st_ino) in secret:
                found.add((status.st_dev, status.st_ino))
    return sorted(found)
"""
    with zygote.worker() as worker:
        load(worker, code)
        assert [secret[tuple(each)] for each in call(worker, X)["ok"]["value"]] == []


@pytest.mark.isolation
def test_what_exercises_need_can_be_imported_and_nothing_else(zygote: Zygote) -> None:
    code = """
import importlib
def f(names):
    missing = {}
    for name in names:
        try:
            module = importlib.import_module(name)
        except BaseException as error:
            missing[name] = repr(error)
        else:
            if getattr(module, "__file__", None) is None:
                missing[name] = "something inert stands in its place"
    return missing
"""
    with zygote.worker() as worker:
        load(worker, code)
        args = ([*_NEEDED, *_OTHERS],)
        payload = {"target": {"name": "f"}, "args": args, "kwargs": {}, "options": {}}
        missing = worker.request("call", payload, timeout=60.0)["ok"]["value"]
    assert set(missing) == set(_OTHERS)
    ways = ("ModuleNotFoundError(", "something inert")
    assert all(each.startswith(ways) for each in missing.values())


def _own_files() -> Iterator[Path]:
    """Every file of the clone and of the project's installation, except the worker's code."""
    worker = _ROOT / "grader" / "worker"
    for part in ("grader", "solutions", "notebooks", "tests", "benchmarks", "docs"):
        for folder, folders, names in os.walk(_ROOT / part):
            if Path(folder) == worker:
                folders.clear()
                continue
            yield Path(folder)
            yield from (Path(folder, name) for name in names)
    yield from (path for path in _ROOT.iterdir() if path.is_file())
    for file in importlib.metadata.files("transformer-course") or ():
        yield Path(str(file.locate()))


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


_FROM_FOLDER = {"url": "file:///home/ann/secret", "dir_info": {"editable": True}}
_FROM_REPOSITORY = {"url": "https://example.org/secret.git", "vcs_info": {"vcs": "git"}}
_FROM_ARCHIVE = {"url": "https://ann:secret@example.org/a.whl", "archive_info": {}}
_BUILT_BY_CONDA = {"url": "file:///croot/built", "dir_info": {}}
_BASE = ("torch/__init__.py", "numpy/__init__.py", "safetensors/__init__.py")


def _install(
    folder: Path,
    name: str,
    files: tuple[str, ...],
    source: object = None,
    by: str = "pip",
    requires: tuple[str, ...] = (),
) -> None:
    """Put a distribution there as an installer does, its record and origin included."""
    needs = "".join(f"Requires-Dist: {each}\n" for each in requires)
    details = {"METADATA": f"Name: {name}\nVersion: 1\n{needs}", "INSTALLER": f"{by}\n"}
    if source is not None:
        details["direct_url.json"] = json.dumps(source)
    written = dict.fromkeys(files, "") | {f"{name}-1.dist-info/{k}": details[k] for k in details}
    written[f"{name}-1.dist-info/RECORD"] = "".join(f"{path},,\n" for path in written)
    for path, text in written.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


@pytest.mark.parametrize(
    ("files", "source", "by", "shown", "hidden"),
    [
        (("a/b.py", "a.libs/c.so", "d.py"), None, "pip", {"a", "a.libs", "d.py"}, set()),
        (("a.py",), None, "uv", {"a.py", "einops-1.dist-info"}, set()),
        (
            ("__editable__x.pth",),
            _FROM_FOLDER,
            "pip",
            set(),
            {"__editable__x.pth", "einops-1.dist-info"},
        ),
        (("a/b.py",), _FROM_FOLDER, "uv", set(), {"a", "einops-1.dist-info"}),
        (("a/b.py",), _FROM_REPOSITORY, "pip", set(), {"a", "einops-1.dist-info"}),
        (("a/b.py",), _FROM_ARCHIVE, "pip", {"a"}, {"einops-1.dist-info/direct_url.json"}),
        (("a/b.py",), _BUILT_BY_CONDA, "conda", {"a"}, {"einops-1.dist-info/direct_url.json"}),
        (("a/b.py",), "nonsense", "pip", set(), {"a"}),
        (("grader/cli.py", "solutions/a.py"), None, "pip", set(), {"grader", "solutions"}),
        (("../../../bin/a", "a/b.py"), None, "pip", {"a"}, set()),
        (("torch/secret.py",), _FROM_FOLDER, "pip", set(), {"torch"}),
    ],
)
def test_what_an_installer_fetched_is_shown_and_all_else_hidden(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    files: tuple[str, ...],
    source: object,
    by: str,
    shown: set[str],
    hidden: set[str],
) -> None:
    base, folder = tmp_path / "base", tmp_path / "site-packages"
    _install(base, "torch", _BASE)
    _install(folder, "einops", files, source, by)
    for loose in ("lone.py", "lone.pth", "__pycache__/lone.cpython-311.pyc"):
        (folder / loose).parent.mkdir(exist_ok=True)
        (folder / loose).write_text("secret")
    monkeypatch.setattr(sys, "path", [str(folder), str(base)])
    (found, _) = packages.installed()
    assert shown <= set(found.shown)
    loose = {"lone.py", "lone.pth", "__pycache__"}
    assert (hidden | loose).isdisjoint(set(found.shown) - set(found.covered))
    assert {each for each in hidden if "/" in each} == set(found.covered)


def test_what_pytorch_asks_for_by_extras_is_shown_beside_what_nobody_asks_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the builds for GPUs have it, which load these libraries where there is no GPU too."""
    asked = "cuda-toolkit[cublas, cudart]==13.0; platform_system == 'Linux'"
    extras = ('nvidia-cublas; extra == "cublas"', "nvidia-npp; extra == 'npp'")
    _install(tmp_path, "torch", _BASE, requires=(asked,))
    _install(tmp_path, "cuda_toolkit", (), requires=extras)
    _install(tmp_path, "nvidia_cublas", ("nvidia/cu13/lib/libcublas.so",))
    _install(tmp_path, "nvidia_npp", ("nvidia/npp/lib/libnpp.so",))
    (tmp_path / "nvidia" / "lone.py").touch()
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    (found,) = packages.installed()
    assert "nvidia/cu13" in found.shown
    assert {"nvidia", "nvidia/npp", "nvidia/lone.py"}.isdisjoint(found.shown)


def test_without_pytorch_the_missing_package_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _install(tmp_path, "numpy", _BASE[1:])
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    with pytest.raises(packages.MissingPackage, match="torch is not installed"):
        packages.installed()
