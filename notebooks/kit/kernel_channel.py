"""Lets a page that a notebook shows speak to its kernel, by the Jupyter server's own connection.

It knows nothing of what is said. What is saved with a notebook goes on being plain HTML.
"""

import re
from collections.abc import Callable
from typing import Any

from IPython import get_ipython

Take = Callable[[dict[str, Any]], None]
_open: list[Any] = []

# `courseOpen` sends data under a name; `heard` gets each answer, `failed` is for no kernel.
SCRIPT = """
window.courseOpen = (kernel, target, data, heard, failed) => {
  const page = JSON.parse(document.getElementById("jupyter-config-data")?.textContent ?? "null");
  if (!page || !kernel) return failed();
  const url = new URL(`${page.baseUrl ?? "/"}api/kernels/${kernel}/channels`, location.href);
  const id = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), n => n.toString(16).padStart(2, "0")).join("");
  const [session, message] = [id(), id()];
  url.protocol = url.protocol.replace("http", "ws");
  url.searchParams.set("session_id", session);
  if (page.token) url.searchParams.set("token", page.token);
  const socket = new WebSocket(url);
  socket.onopen = () => socket.send(JSON.stringify({
    channel: "shell", parent_header: {}, metadata: {}, buffers: [],
    header: {msg_id: message, msg_type: "comm_open", session, username: "", version: "5.3", date: new Date().toISOString()},
    content: {comm_id: id(), target_name: target, data},
  }));
  socket.onmessage = ({data: text}) => {
    const got = typeof text === "string" ? JSON.parse(text) : {};
    if (got.parent_header?.msg_id !== message) return;
    heard(got);
    if (got.header?.msg_type === "status" && got.content.execution_state === "idle") socket.close();
  };
  socket.onerror = failed;
};
"""


def is_vscode() -> bool:
    """Whether the notebook is open in VS Code, behind whose pages there is no such server."""
    return "__vsc_ipynb_file__" in getattr(get_ipython(), "user_ns", {})


def kernel_id() -> str:
    """The name under which a Jupyter server knows this kernel; empty where none would."""
    from ipykernel.connect import get_connection_file

    if not hasattr(get_ipython(), "kernel") or is_vscode():
        return ""
    try:
        file = str(get_connection_file())
    except RuntimeError:  # a kernel without a file
        return ""
    found = re.search(r"kernel-([\w-]+)\.json$", file)
    return found[1] if found else ""


def listen(target: str, take: Take) -> None:
    """From now on hand over what pages say under this name."""
    kernel = getattr(get_ipython(), "kernel", None)
    if kernel is not None:

        def opened(comm: Any, message: dict[str, Any]) -> None:
            _open.append(comm)  # one that is forgotten tells all pages that it closes
            take(message["content"]["data"])

        kernel.comm_manager.register_target(target, opened)
