"""`make start` says what it fetches, and stops before it fetches what the course does not need."""

import base64
import hashlib
import os
import re
import shutil
import subprocess
import zipfile
from pathlib import Path
from venv import EnvBuilder

import pip as pip_of_this_python
import pytest

from scripts.address import boxed
from scripts.install import bar, for_cards

ROOT = Path(__file__).resolve().parent.parent


def wheel(folder: Path, name: str, version: str, *needs: str) -> None:
    """A package that holds nothing."""
    module, info = name.replace("-", "_"), f"{name.replace('-', '_')}-{version}.dist-info"
    files = {
        f"{module}/__init__.py": "",
        f"{info}/METADATA": "\n".join(
            ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}"]
            + [f"Requires-Dist: {each}" for each in needs]
        ),
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any",
    }
    rows = []
    for path, text in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=")
        rows.append(f"{path},sha256={digest.decode()},{len(text)}")
    files[f"{info}/RECORD"] = "\n".join([*rows, f"{info}/RECORD,,"])
    with zipfile.ZipFile(folder / f"{module}-{version}-py3-none-any.whl", "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone with an empty environment and a shop of its own for packages."""
    folder = tmp_path_factory.mktemp("clone")
    (folder / "scripts").mkdir()
    shutil.copy(ROOT / "scripts/install.py", folder / "scripts")
    shop = folder / "shop"
    shop.mkdir()
    wheel(shop, "small", "1.0")
    (hashed,) = shop.iterdir()
    digest = hashlib.sha256(hashed.read_bytes()).hexdigest()
    (folder / "requirements.hashes").write_text(f"small==1.0 \\\n    --hash=sha256:{digest}\n")
    (folder / "requirements.lock").write_text("# exact\nsmall==1.0\ntorch==2.0\n")
    EnvBuilder(symlinks=True).create(folder / ".venv")
    pip = Path(pip_of_this_python.__file__).parent  # to install it takes longer than all tests here
    for path in (pip, *pip.parent.glob("pip-*.dist-info")):
        next((folder / ".venv").glob("lib/*/site-packages")).joinpath(path.name).symlink_to(path)
    return folder


def install(clone: Path, *command: str, **given: str) -> subprocess.CompletedProcess[str]:
    """Without a network: what is in the shop is all there is."""
    plain = {name: text for name, text in os.environ.items() if not name.startswith("PIP_")}
    offline = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(clone / "shop")}
    return subprocess.run(
        [clone / ".venv/bin/python", *(command or ["scripts/install.py"])],
        cwd=clone,
        env=plain | offline | {"PIP_CONFIG_FILE": os.devnull} | given,
        capture_output=True,
        text=True,
    )


@pytest.mark.slow
def test_it_stops_before_it_fetches_a_build_for_graphics_cards(clone: Path) -> None:
    wheel(clone / "shop", "torch", "2.0", "nvidia-blas", "triton")
    wheel(clone / "shop", "nvidia-blas", "3")
    wheel(clone / "shop", "triton", "3")
    ask = ("-c", "from scripts.install import refuse_cards as r; r('torch==2.0')")
    stopped = install(clone, *ask)
    assert stopped.returncode == 1 and "2 packages more" in " ".join(stopped.stderr.split())
    assert re.search(r"^    PIP_EXTRA_INDEX_URL=\S+ make start$", stopped.stderr, re.MULTILINE)
    assert "CUDA=1 make start" in stopped.stderr
    assert not [*(clone / ".venv").rglob("torch-*")]
    wheel(clone / "shop", "torch", "2.0")  # the build for processors
    assert install(clone, *ask).returncode == 0


@pytest.mark.slow
def test_it_installs_what_is_locked_and_shows_how_far_it_is(clone: Path) -> None:
    wheel(clone / "shop", "torch", "2.0")
    done = install(clone)
    assert "Fetching 2 packages" in done.stdout
    assert f"1 of 2: {bar(1, 1)} done" in done.stdout and f"2 of 2: {bar(2, 2)} done" in done.stdout
    assert [*(clone / ".venv").rglob("torch-2.0.dist-info")]
    assert done.returncode  # this clone has no package of its own to install


@pytest.mark.slow
def test_what_pip_complains_of_is_shown(clone: Path) -> None:
    (clone / "requirements.hashes").write_text(f"small==1.0 --hash=sha256:{'0' * 64}\n")
    shutil.rmtree(next((clone / ".venv").rglob("small-1.0.dist-info")), ignore_errors=True)
    refused = install(clone, CUDA="1")
    assert refused.returncode and "DO NOT MATCH THE HASHES" in refused.stderr


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        *(("nvidia-cublas-cu12", True), ("triton", True), ("cuda-bindings", True)),
        *(("torch", False), ("tritonclient", False), ("networkx", False)),
    ],
)
def test_packages_for_graphics_cards_are_known_by_name(name: str, expected: bool) -> None:
    assert bool(for_cards([{"metadata": {"name": name}}])) == expected


def test_the_address_stands_in_a_box_of_straight_edges() -> None:
    address = "http://127.0.0.1:8888/lab/tree/00_start_here.ipynb?token=abc"
    lines = boxed(address).strip().splitlines()
    assert len({len(line) for line in lines}) == 1 and f"| {address} " in "\n".join(lines)
    assert lines[0] == lines[-1] and set(lines[0]) == {"+", "-"}
