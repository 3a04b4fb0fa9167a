"""Works out texts that are written in pieces ("soft" + "max"); evaluates nothing else."""

import ast
from collections.abc import Callable

MAX_TEXT = 2_000
_MAX_PARTS = 200
_PLAIN_METHODS = frozenset(
    {
        *("capitalize", "casefold", "lower", "swapcase", "title", "upper", "replace"),
        *("strip", "lstrip", "rstrip", "removeprefix", "removesuffix", "encode", "decode"),
    }
)

Lookup = Callable[[ast.expr], "str | None"]  # the text of a name or of a part, where it is known


def text_of(node: ast.expr, lookup: Lookup) -> str | None:
    """The text that an expression gives, if it is built from constants in a simple way.

    `lookup` is asked for the texts of its parts, so that whoever asks can keep them.
    """
    text = _fold(node, lookup)
    return text if text is None or len(text) <= MAX_TEXT else None


def _fold(node: ast.expr, lookup: Lookup) -> str | None:
    if isinstance(node, ast.Constant):
        if isinstance(node.value, bytes):
            return node.value.decode("latin-1")
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.BinOp):
        return _operation(node, lookup)
    if isinstance(node, ast.JoinedStr):
        return _join("", _texts(node.values, lookup))
    if isinstance(node, ast.FormattedValue):
        is_plain = node.format_spec is None and node.conversion == -1
        return lookup(node.value) if is_plain else None
    if isinstance(node, ast.Subscript):
        return _subscript(node, lookup)
    if isinstance(node, ast.Call):
        return _call(node, lookup)
    return None


def _operation(node: ast.BinOp, lookup: Lookup) -> str | None:
    left = lookup(node.left)
    if left is None:
        return None
    if isinstance(node.op, ast.Add):
        right = lookup(node.right)
        return None if right is None else left + right
    if isinstance(node.op, ast.Mod) and left.replace("%s", "").count("%") == 0:
        parts = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
        return _fill(left.split("%s"), _texts(parts, lookup))
    return None


def _subscript(node: ast.Subscript, lookup: Lookup) -> str | None:
    text = lookup(node.value)
    if text is None:
        return None
    try:
        if isinstance(node.slice, ast.Slice):
            ends = (node.slice.lower, node.slice.upper, node.slice.step)
            return text[slice(*(None if end is None else ast.literal_eval(end) for end in ends))]
        return text[ast.literal_eval(node.slice)]
    except (ValueError, TypeError, IndexError):
        return None


def _call(node: ast.Call, lookup: Lookup) -> str | None:
    if isinstance(node.func, ast.Name):
        return _call_builtin(node.func.id, node.args, lookup)
    if not isinstance(node.func, ast.Attribute) or node.keywords:
        return None
    text = lookup(node.func.value)
    if text is None:
        return None
    method = node.func.attr
    if method == "join" and node.args:
        return _join(text, _elements(node.args[0], lookup))
    given = _texts(node.args, lookup)
    if given is None:
        return None
    if method == "format" and text.replace("{}", "").count("{") == 0:
        return _fill(text.split("{}"), given)
    if method == "replace" and len(given) == 2 and text.count(given[0]) * len(given[1]) > MAX_TEXT:
        return None  # before megabytes are made of it
    if method in _PLAIN_METHODS and len(given) <= 2:
        if method in ("encode", "decode"):
            return text
        try:
            return str(getattr(text, method)(*given))
        except (TypeError, ValueError):
            return None
    return None


def _call_builtin(name: str, arguments: list[ast.expr], lookup: Lookup) -> str | None:
    if len(arguments) != 1:
        return None
    argument = arguments[0]
    if name == "chr" and isinstance(argument, ast.Constant) and isinstance(argument.value, int):
        return chr(argument.value) if 0 <= argument.value < 0x110000 else None
    if name in ("bytes", "bytearray"):
        return _join("", _characters(argument))
    if name == "str":
        return lookup(argument)
    if name == "reversed" and (text := lookup(argument)) is not None:
        return text[::-1]
    return None


def _elements(node: ast.expr, lookup: Lookup) -> list[str] | None:
    if isinstance(node, ast.List | ast.Tuple):
        return _texts(node.elts, lookup)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "map":
        match node.args:
            case [ast.Name("chr"), characters]:
                return _characters(characters)
        return None
    text = lookup(node)
    return None if text is None else list(text)


def _characters(node: ast.expr) -> list[str] | None:
    """The characters of the numbers in a list: `bytes([115, 111])`, `map(chr, [115, 111])`."""
    try:
        return [chr(number) for number in ast.literal_eval(node)][:_MAX_PARTS]
    except (ValueError, TypeError, OverflowError, SyntaxError, RecursionError, MemoryError):
        return None


def _texts(nodes: list[ast.expr], lookup: Lookup) -> list[str] | None:
    texts: list[str] = []
    for node in nodes[:_MAX_PARTS]:
        text = lookup(node)
        if text is None:
            return None
        texts.append(text)
    return texts


def _join(between: str, texts: list[str] | None) -> str | None:
    if texts is None or len(between) * (len(texts) - 1) > MAX_TEXT:
        return None
    return between.join(texts)


def _fill(pieces: list[str], texts: list[str] | None) -> str | None:
    """Pieces and texts in turn."""
    if texts is None or len(pieces) != len(texts) + 1:
        return None
    return "".join(a + b for a, b in zip(pieces, [*texts, ""], strict=True))
