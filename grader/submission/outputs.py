"""Takes the outputs out of a notebook's text before anything parses it; knows no cell."""

import re

_SMALL = 1_000_000  # bytes, which are parsed as they are
_STRING = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
# What cells and notebooks keep beside their code: outputs, pasted pictures, states of widgets.
_LEFT_OUT = rb'"(?:outputs|attachments|widgets)"\s*+:\s*+[\[{]'
_TEXTS = rb"\[\s*+(?:%s\s*+,?\s*+)*+\]" % _STRING  # printed lines, as one token
_ANY_KEY = re.compile(_LEFT_OUT)
_TOKEN = re.compile(
    rb'(?P<key>%s)|%s|%s|(?P<open>[\[{])|(?P<close>[\]}])|(?P<odd>")'
    % (_LEFT_OUT, _TEXTS, _STRING),
    re.DOTALL,
)


def without_outputs(content: bytes) -> bytes:
    """The same notebook without what it shows, its lines where they were; small ones as they are.

    What is no JSON comes back as it is.
    """
    if len(content) <= _SMALL or not _ANY_KEY.search(content):
        return content
    kept: list[bytes] = []
    begin = depth = 0  # of what is kept; of brackets within what is left out
    for token in _TOKEN.finditer(content):
        kind = token.lastgroup
        if kind == "odd":  # a text without an end
            return content
        if depth:
            depth += (kind in ("key", "open")) - (kind == "close")
            if not depth:
                kept.append(b"\n" * content.count(b"\n", begin, token.start()))
                begin = token.start()
        elif kind == "key":
            kept.append(content[begin : token.end()])
            begin, depth = token.end(), 1
    return content if depth else b"".join([*kept, content[begin:]])
