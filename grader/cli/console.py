"""What commands share: how they say things, write tables, refuse and end; knows no command."""

import codecs
import difflib
import io
import ipaddress
import sys
import unicodedata
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from rich.console import Console
from rich.text import Text

from ..curriculum.syllabus import syllabus
from ..report.text import visible

USAGE, INTERRUPTED = 2, 3  # exit statuses; 0 is a run that is complete, whatever the marks
out, err = Console(), Console(stderr=True)
Folder = Annotated[Path, typer.Argument(help="The folder that `grader grade --out` wrote.")]
_HANDLER = "grader.plain"
# The signs and letters that our own words use, as people type them where they have no others.
_PLAIN = str.maketrans(
    {
        **{"→": "->", "√": "sqrt", "…": "...", "·": "*", "×": "x", "−": "-", "—": "-", "–": "-"},
        **{"“": '"', "”": '"', "‘": "'", "’": "'", "✓": "+", "✗": "x", "◐": "~", "±": "+/-"},
        **{"ε": "epsilon", "σ": "sigma", "Σ": "sum", "π": "pi", "Φ": "Phi", "µ": "mu"},
        **{"∇": "gradient ", "‖": "||", "½": "1/2", "ᵀ": "^T", "²": "^2", "≤": "<=", "≥": ">="},
        **{"≠": "!=", "≈": "~", "ß": "ss", "│": "|", "─": "-", "━": "-", "█": "#"},
    }
)


def flag(name: str, meaning: str) -> Any:
    """An option that is given or not, and has no opposite."""
    return typer.Option(f"--{name}", help=meaning)


def say(text: str, console: Console = out) -> None:
    """Print plain text, in lines that a terminal wraps by itself: a command can be copied whole."""
    console.print(Text(text), soft_wrap=True)


def stop(message: str, status: int = USAGE) -> NoReturn:
    """Say why a command cannot go on, and end with this exit status."""
    say(f"grader: {visible(message)}", err)
    raise typer.Exit(status)


def refuse_unknown(exercise: str) -> None:
    """Stop where no exercise is called so."""
    if exercise not in syllabus().names:
        near = difflib.get_close_matches(exercise, syllabus().names, n=3, cutoff=0.5)
        there_are = f"there are: {', '.join(syllabus().names)}"
        instead = f"did you mean {' or '.join(near)}?" if near else there_are
        stop(f"no exercise is called {exercise!r}; {instead}")


def read_catalogue() -> None:
    """Stop here, not within a diagnosis, where a person's edit of a data file has a fault."""
    from ..diagnosis.misconceptions.catalogue import misconceptions
    from ..diagnosis.misconceptions.changes import changes

    for name in syllabus().names:
        misconceptions(name)
        changes(name)


def is_this_machine(host: str) -> bool:
    """Whether what is sent to this host never leaves the machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def speak_plainly() -> None:
    """What the output's encoding lacks is replaced by plain letters, instead of an exception."""
    codecs.register_error(_HANDLER, _in_plain_letters)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_HANDLER)


def _in_plain_letters(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end].translate(_PLAIN)
    # Accents come off their letters; of what is left, nothing can be said here.
    letters = unicodedata.normalize("NFKD", text)
    plain = "".join(each for each in letters if not unicodedata.combining(each))
    return plain.encode("ascii", "replace").decode("ascii"), error.end
