"""Lets everything that the command prints reach any terminal; knows nothing of what is printed."""

import codecs
import io
import sys
import unicodedata

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
