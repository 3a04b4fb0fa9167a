"""Holds that requirements.lock, pyproject.toml, environment.yml and `.venv` agree."""

import importlib.metadata
import importlib.util
import json
import re
import shlex
import sys
import tomllib
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version
from typer.testing import CliRunner

from grader.cli import app

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
WANTED = [Requirement(line) for line in chain(PROJECT["dependencies"], *EXTRAS.values())]
CONDA = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))


def lock_lines() -> list[str]:
    """What pip reads of requirements.lock: its lines without comments."""
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def locked() -> dict[str, Version]:
    """Each package of requirements.lock with its exact version."""
    requirements = [Requirement(line) for line in lock_lines()]
    return {
        canonicalize_name(r.name): Version(next(iter(r.specifier)).version) for r in requirements
    }


def conda_split() -> tuple[list[str], list[str]]:
    """environment.yml's packages for conda, and its lines for pip."""
    for_conda = [entry for entry in CONDA["dependencies"] if isinstance(entry, str)]
    (for_pip,) = [entry["pip"] for entry in CONDA["dependencies"] if isinstance(entry, dict)]
    return for_conda, for_pip


def needed_by(requirements: Iterable[Requirement]) -> set[str]:
    """Every package that `requirements` lead to on this machine, read from what is installed."""
    found: set[str] = set()
    waiting = [(r, "") for r in requirements]
    seen = set()
    while waiting:
        requirement, extra = waiting.pop()
        if requirement.marker and not requirement.marker.evaluate({"extra": extra}):
            continue
        name = canonicalize_name(requirement.name)
        for wanted_extra in ["", *requirement.extras]:
            if (name, wanted_extra) in seen:
                continue
            seen.add((name, wanted_extra))
            found.add(name)
            needs = importlib.metadata.requires(name) or []
            waiting += [(Requirement(need), wanted_extra) for need in needs]
    return found


def test_every_locked_version_is_exact_and_named_once() -> None:
    requirements = [Requirement(line) for line in lock_lines()]
    for requirement in requirements:
        assert re.fullmatch(r"==[0-9][0-9a-z.]*", str(requirement.specifier)), requirement
        assert requirement.url is None and requirement.marker is None, requirement
    names = [canonicalize_name(r.name) for r in requirements]
    assert sorted(names) == sorted(set(names))


def test_the_lock_pins_pytorch_without_naming_a_build() -> None:
    assert "torch==2.13.0" in lock_lines()
    assert Requirement("torch==2.13.0") in WANTED


def test_the_lock_needs_no_cuda_package() -> None:
    assert not [name for name in locked() if re.match(r"nvidia|cuda|triton", name)]


def test_the_lock_names_no_host_and_no_path() -> None:
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert not re.search(r"://|@ |file:|^-", text, re.MULTILINE)


@pytest.mark.parametrize("requirement", WANTED, ids=str)
def test_the_lock_satisfies_pyproject(requirement: Requirement) -> None:
    version = locked()[canonicalize_name(requirement.name)]
    assert requirement.specifier.contains(version), f"{requirement} is locked at {version}"


def test_every_package_but_pytorch_has_hashes() -> None:
    """PyTorch comes in several builds; a hash of one would refuse the others."""
    text = (ROOT / "requirements.hashes").read_text(encoding="utf-8").replace("\\\n", "")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    hashed = {}
    for line in lines:
        requirement, *hashes = line.split()
        assert hashes and all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", each) for each in hashes)
        name, version = requirement.split("==")
        hashed[canonicalize_name(name)] = Version(version)
    assert hashed == {name: version for name, version in locked().items() if name != "torch"}


@pytest.mark.skipif(
    sys.platform != "linux" or sys.version_info[:2] != (3, 11),
    reason="written on Linux with Python 3.11; elsewhere a few packages differ",
)
def test_the_lock_is_complete_and_holds_nothing_else() -> None:
    """So pip chooses no version by itself, and nothing stays that nobody needs."""
    needed = needed_by(WANTED)
    # A CUDA build of PyTorch brings packages of its own; the lock names the CPU build's.
    needed = {name for name in needed if not re.match(r"nvidia|cuda|triton", name)}
    assert set(locked()) == needed


def test_what_is_installed_is_what_the_lock_says() -> None:
    installed = {name: Version(importlib.metadata.version(name)) for name in locked()}
    assert {name: Version(version.public) for name, version in installed.items()} == locked()


def test_every_locked_version_runs_on_debian_12() -> None:
    """Its Python is 3.11.2, and some packages ask for a later 3.11."""
    too_new = {
        name: requires
        for name in locked()
        if (requires := importlib.metadata.metadata(name).get("Requires-Python"))
        and not SpecifierSet(requires).contains("3.11.2")
    }
    assert not too_new, "write the lock with Debian's own: make lock PYTHON=/usr/bin/python3.11"


def test_conda_takes_every_package_from_the_lock() -> None:
    for_conda, for_pip = conda_split()
    assert [shlex.split(line) for line in for_pip] == [["-r", "requirements.lock"], ["-e", "."]]
    assert [re.split(r"[=<>! ]", entry)[0] for entry in for_conda] == ["python", "pip"]
    assert CONDA["name"] == PROJECT["name"]


def test_conda_python_suits_pyproject() -> None:
    for_conda, _ = conda_split()
    (python,) = [entry for entry in for_conda if entry.startswith("python=")]
    supported = SpecifierSet(PROJECT["requires-python"])
    assert supported.contains(python.removeprefix("python="))


def test_the_grader_command_is_declared() -> None:
    assert PROJECT["scripts"] == {"grader": "grader.cli:main"}


def test_jupyterlab_fetches_no_news_and_looks_for_no_update() -> None:
    overrides = json.loads((ROOT / "settings/transformer-course.json").read_text(encoding="utf-8"))
    assert overrides["@jupyterlab/apputils-extension:notification"] == {
        "checkForUpdates": False,
        "fetchNews": "false",
    }
    config = json.loads((ROOT / "settings/jupyter_lab_config.json").read_text(encoding="utf-8"))
    assert config["LabApp"] == {
        "check_for_updates_class": "jupyterlab.NeverCheckForUpdate",
        "extension_manager": "readonly",
        "news_url": None,
    }


def test_the_version_is_the_same_everywhere() -> None:
    shown = CliRunner().invoke(app, ["--version"])
    assert shown.stdout == f"grader {PROJECT['version']}\n"
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == PROJECT["version"] and citation["license"] == PROJECT["license"]
    assert f"## {PROJECT['version']}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def text_of(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def test_a_workflow_and_a_container_run_what_ci_runs() -> None:
    job = yaml.safe_load(text_of(".github/workflows/test.yml"))["jobs"]["test"]
    runs = [step["run"] for step in job["steps"] if "run" in step]
    assert runs[-1] == ".ci/run" and "|| " not in " ".join(runs)
    container = json.loads(text_of(".devcontainer/devcontainer.json"))
    assert container["postCreateCommand"] == "make env"
    image = text_of(".devcontainer/Dockerfile")
    assert f"FROM {job['container']['image']}\n" in image
    needed = re.findall(r"printf ' ([\w-]+)'", text_of("scripts/system-packages.sh"))
    needed += runs[0].partition("--no-install-recommends ")[2].split()
    assert len(needed) >= 8 and set(needed) <= set(image.split())


@pytest.mark.parametrize(
    "path",
    [
        *(".pre-commit-config.yaml", ".github/workflows/test.yml"),
        *(".devcontainer/Dockerfile", ".devcontainer/devcontainer.json"),
        *("requirements.lock", "requirements.hashes"),
    ],
)
def test_no_set_up_names_a_host_or_a_folder_of_one_machine(path: str) -> None:
    assert not re.search(r"https?://|/(?:home|work|opt|Users)/", text_of(path))


def test_every_hook_runs_what_make_env_made() -> None:
    (local,) = yaml.safe_load(text_of(".pre-commit-config.yaml"))["repos"]
    assert local["repo"] == "local"
    for hook in local["hooks"]:
        program, *arguments = hook["entry"].split()
        assert hook["language"] == "system" and program.startswith(".venv/bin/"), hook["id"]
        if "-m" in arguments:
            assert importlib.util.find_spec(arguments[1])
