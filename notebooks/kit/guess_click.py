"""Carries a learner's click on a question to the kernel; knows no question and no answer.

In JupyterLab, and wherever a Jupyter server is behind the page, a script sends the guess to the
kernel by the server's own connection. VS Code has no such server behind its pages, so that there a
field of ipywidgets stands below the question. What is saved with the notebook is the HTML alone.
"""

import re
from collections.abc import Callable
from typing import Any

from IPython import get_ipython
from IPython.display import display

from kit.guess_page import RUN

TARGET = "course.guess"
Take = Callable[[dict[str, Any]], None]
_open: list[Any] = []

# `courseGuess` sends what stands in the box around a button, `courseLook` that a fold was opened.
SCRIPT = """<script>
(() => {
  const say = (box, text) => { const at = box?.querySelector(".guess-said"); if (at) at.textContent = text; };
  const send = (kernel, data, box) => {
    const page = JSON.parse(document.getElementById("jupyter-config-data")?.textContent ?? "null");
    const failed = "No kernel answers. Run this cell again, then commit.";
    if (!page || !kernel) return say(box, failed);
    const url = new URL(`${page.baseUrl ?? "/"}api/kernels/${kernel}/channels`, location.href);
    const id = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), n => n.toString(16).padStart(2, "0")).join("");
    const [session, message] = [id(), id()];
    url.protocol = url.protocol.replace("http", "ws");
    url.searchParams.set("session_id", session);
    if (page.token) url.searchParams.set("token", page.token);
    const socket = new WebSocket(url);
    let answered = false;
    say(box, "Sent. The kernel takes it when the cell that runs now is done.");
    socket.onopen = () => socket.send(JSON.stringify({
      channel: "shell", parent_header: {}, metadata: {}, buffers: [],
      header: {msg_id: message, msg_type: "comm_open", session, username: "", version: "5.3", date: new Date().toISOString()},
      content: {comm_id: id(), target_name: "TARGET", data},
    }));
    socket.onmessage = ({data: text}) => {
      const got = typeof text === "string" ? JSON.parse(text) : {};
      if (got.parent_header?.msg_id !== message) return;
      if (got.header?.msg_type === "update_display_data") {
        const html = got.content.data["text/html"] ?? "";
        const drawn = html.includes('class="guess"') && html.includes(`data-key="${data.key}"`);
        answered ||= drawn;
        // A page that was opened anew no longer knows where this output is.
        if (drawn) setTimeout(() => box?.isConnected && (box.outerHTML = html), 300);
      }
      if (got.header?.msg_type === "status" && got.content.execution_state === "idle") {
        if (!answered) say(box, failed);
        socket.close();
      }
    };
    socket.onerror = () => say(box, failed);
  };
  window.courseGuess = within => {
    const box = within.closest(".guess");
    const field = box.querySelector("input[type=radio]:checked") ?? box.querySelector(".guess-guess");
    const guess = (field?.value ?? "").trim();
    if (!guess) return say(box, "Choose first: any guess is better than none.");
    const why = box.querySelector(".guess-why")?.value ?? "";
    window.courseFocus = box.dataset.key;
    send(box.dataset.kernel, {key: box.dataset.key, guess, why}, box);
  };
  window.courseLook = fold => {
    const key = fold.dataset.key, box = document.querySelector(`.guess[data-key="${key}"]`);
    if (fold.open && box) send(box.dataset.kernel, {key, look: true}, box);
  };
  for (const box of document.querySelectorAll(".guess")) {
    if (box.querySelector(".guess-said")?.textContent === "RUN") say(box, "");
    if (window.courseFocus !== box.dataset.key) continue;
    (box.querySelector("button") ?? box).focus();
    window.courseFocus = null;
  }
})();
</script>""".replace("TARGET", TARGET).replace("RUN", RUN)


def is_vscode() -> bool:
    """Whether the notebook is open in VS Code."""
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


def listen(take: Take) -> None:
    """From now on hand over what is clicked."""
    kernel = getattr(get_ipython(), "kernel", None)
    if kernel is not None:

        def opened(comm: Any, message: dict[str, Any]) -> None:
            _open.append(comm)  # one that is forgotten tells all pages that it closes
            take(message["content"]["data"])

        kernel.comm_manager.register_target(TARGET, opened)


def field_below(choices: list[str], guess: str, take: Callable[[str, str], None]) -> None:
    """A field of ipywidgets, which closes once it has handed over a guess and a reason."""
    from ipywidgets import Button, HBox, Layout, RadioButtons, Text, VBox

    wide = Layout(width="auto", height="auto")
    if choices:
        known = guess if guess in choices else None
        field = RadioButtons(options=choices, value=known, layout=wide)
    else:
        field = Text(value=guess, placeholder="your guess", layout=Layout(width="14em"))
    why = Text(placeholder="why, in three words? (optional)", layout=Layout(width="18em"))
    button = Button(description="Commit to it")
    box = VBox([field, HBox([why, button])])

    def clicked(_: Button) -> None:
        if field.value:
            take(str(field.value), why.value)
            box.close()

    button.on_click(clicked)
    display(box)
