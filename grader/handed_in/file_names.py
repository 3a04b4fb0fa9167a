"""Says by its name alone of what kind a file is; opens none."""

import os
import re

NOTEBOOK, SCRIPT = ".ipynb", ".py"
ARCHIVES = (".zip", ".tar", ".tgz", ".gz", ".bz2", ".tbz2", ".xz", ".txz", ".7z", ".rar", ".zst")
MARKDOWN = (".md", ".qmd", ".rmd")  # where they are notebooks
PAGES = (".html", ".htm")  # on which a notebook may be shown
# What code may read beside it, where it is small.
DATA = (".json", ".csv", ".tsv", ".txt", ".yaml", ".yml", ".toml")
JSON = ".json"
_BY_BROWSERS = (".txt", JSON)  # what a browser adds to the name of a notebook that it saves
_IGNORED = {
    *("__pycache__", "__MACOSX", ".git", ".github", ".ipynb_checkpoints", ".virtual_documents"),
    *(".venv", ".vscode", ".idea", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".cache"),
    *(".config", ".local", ".jupyter", ".ipython", ".kept", ".conda", ".ssh", ".svn", ".hg"),
    *(".ipynb_aml_checkpoints", ".history", ".npm", ".tox", ".nox", ".eggs", ".pyenv", ".pixi"),
    *(".grader-collecting", ".grader-collected"),
    *("site-packages", "dist-packages", "node_modules"),
    *(".virtualenvs", ".vscode-server", ".cursor", ".ropeproject", ".quarto", ".jupyter_cache"),
    *("Thumbs.db", "desktop.ini", "Icon\r"),
}
_DRAFTS = {
    *("scratch", "draft", "drafts", "old", "backup", "backups", "bak", "archive", "attic"),
    *("tmp", "temp", "trash", "deprecated", "wip", "playground"),
}
# How a file is called that its author, git, a sync or nbconvert has put aside: `04_backup.ipynb`.
_ASIDE = re.compile(
    r"(?:[ _.-](?:draft|old|back-?up|bak|wip|tmp|temp|scratch|attempt|try|test|orig(?:inal)?|"
    r"before|unfinished|broken|deprecated|(?:base|local|remote)_\d|nbconvert|(?:sync-)?conflict.*)"
    r"[ _.\d-]*|conflicted copy.*|~)$"
)
# What Colab and other platforms put before a copy's name.
_COPY_OF = re.compile(
    r"(?:^|(?<=/))(?:(?:copy of|kopie von|copie de|copia de|copia di|cópia de|kopia) +)+(?=[^/]+$)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<=\D)\d+")  # behind the beginning, where a chapter's may stand
# What has no suffix, and is called like no work.
_ABOUT = {
    *("readme", "license", "licence", "copying", "notice", "authors", "contributors", "citation"),
    *("changelog", "version", "makefile", "dockerfile", "procfile", "pipfile", "requirements"),
}
# `softmax.py.bak`, `.04.ipynb`, `04.ipynb.icloud`; no `x.pyc`
_LIKE_WORK = re.compile(r"\.(?:ipynb|py)(?![a-z])", re.IGNORECASE)
_BY_SYSTEMS = re.compile(r"\.sw[a-p]$|:Zone\.Identifier$|\.(?:png|jpe?g|gif|svg)$", re.IGNORECASE)


def suffix_of(name: str) -> str:
    """`.ipynb`, `.py`, one of an archive, of Markdown or a page, whatever its case; else empty."""
    suffix = os.path.splitext(without_added(name))[1].lower()
    return suffix if suffix in (NOTEBOOK, SCRIPT, *ARCHIVES, *MARKDOWN, *PAGES) else ""


def without_added(name: str) -> str:
    """The name without the `.txt` that a browser has put behind `.ipynb` or `.py`."""
    inner, last = os.path.splitext(name)
    is_added = last.lower() in _BY_BROWSERS and inner.lower().endswith((NOTEBOOK, SCRIPT))
    return inner if is_added else name


def rank(name: str) -> tuple[bool, int, int, str]:
    """Which files are read first where there are too many: those that most likely hold work.

    Archives come last; notebooks before scripts and all else, what lies on top before the rest.
    """
    kinds = (NOTEBOOK, SCRIPT)
    suffix = suffix_of(name)
    kind = kinds.index(suffix) if suffix in kinds else len(kinds)
    return is_archive(name), kind, name.replace("\\", "/").count("/"), name


def copied_from(name: str) -> str:
    """What the original of a copy is called, where the copy's name says it in front."""
    return _COPY_OF.sub("", name)


def put_back(stem: str) -> str:
    """A name without its suffix, and without what says that the file was put aside."""
    return _ASIDE.sub("", stem)


def place(name: str) -> tuple[int, bool, str, bool]:
    """Its place: notebooks, scripts, data; what a browser called otherwise before its original.

    A copy that says so in front of its name stands behind its original, and `v10` behind `v9`.
    """
    suffix = suffix_of(name)
    order = 0 if suffix in (NOTEBOOK, *MARKDOWN, *PAGES) else 1 if suffix == SCRIPT else 2
    original = copied_from(name)
    by_number = _NUMBER.sub(lambda found: found[0].zfill(20), original)
    return order, name == without_added(name), by_number, name != original


def is_beside(name: str) -> bool:
    """Whether it is called, or lies in a folder that is called, as tests, drafts or copies are.

    Where something else answers the same, that one is meant.
    """
    *folders, last = _parts(name.lower())
    is_test = last.startswith("test_") or last.endswith("_test.py") or last == "conftest.py"
    is_test = is_test or not {"test", "tests"}.isdisjoint(folders)
    stem = os.path.splitext(without_added(last))[0]
    is_aside = stem != put_back(stem)
    return (last.endswith(SCRIPT) and is_test) or is_aside or not _DRAFTS.isdisjoint(folders)


def is_archive(name: str) -> bool:
    """Whether a file of this name has others in it."""
    return suffix_of(name) in ARCHIVES


def is_data(name: str) -> bool:
    """Whether a file of this name holds text that code may read."""
    return os.path.splitext(without_added(name))[1].lower() in DATA


def is_ignored(name: str) -> bool:
    """Whether a file or folder of this name is hidden, or a tool's and not a learner's."""
    return name.startswith(".") or name in _IGNORED


def is_tools(name: str) -> bool:
    """Whether it is known which tool keeps a file or folder of this name."""
    return name.startswith(("._", ".Trash", ".~", ".#", ".nfs")) or name in _IGNORED


def is_hidden(name: str) -> bool:
    """Whether a file, or a folder on the way to it, is hidden or a tool's."""
    return any(is_ignored(part) for part in _parts(name) if part not in (".", ".."))


def may_be_work(name: str) -> bool:
    """Whether a file that is not read, as it is hidden or of another kind, is called like work.

    One without a suffix may be anything, and so it is.
    """
    *_, last = parts = _parts(name)
    if any(map(is_tools, parts)) or _BY_SYSTEMS.search(last):
        return False
    if is_hidden(name):  # of its name a suffix may be all
        return bool(_LIKE_WORK.search(last)) or suffix_of(f"_{last}") not in ("", ".md")
    is_bare = last and "." not in last and not is_about(last)
    return bool(is_bare or _LIKE_WORK.search(last))


def is_about(name: str) -> bool:
    """Whether it is called as what tells of the work and is none, as a README."""
    return _parts(name)[-1].partition(".")[0].casefold() in _ABOUT


def _parts(name: str) -> list[str]:
    return name.replace("\\", "/").split("/")


def text_of(name: str) -> str:
    """A file's name as text that can be stored; different names stay different."""
    if "\\udc" in name or any("\ud800" <= c <= "\udfff" for c in name):
        name = name.replace("\\", "\\\\")  # bytes that are no UTF-8 are written \udcff
    return name.encode("utf-8", "backslashreplace").decode("utf-8")


def printable(name: str, longest: int = 120) -> str:
    """A name fit for one line of a message: no control or invisible characters, not too long."""
    start = text_of(name)[: 4 * longest]
    shown = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in start)
    return shown if len(shown) <= longest else shown[: longest - 1] + "…"
