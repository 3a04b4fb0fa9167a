"""Carries a learner's click on a question to the kernel; knows no question and no answer.

In JupyterLab, and wherever a Jupyter server is behind the page, a script sends the guess to the
kernel by the server's own connection. VS Code has no such server behind its pages, so that there a
field of ipywidgets stands below the question. What is saved with the notebook is the HTML alone.
"""

from collections.abc import Callable

from IPython.display import display

from kit import kernel_channel
from kit.guess_page import RUN

TARGET = "course.guess"

# `courseGuess` sends what stands in the box around a button, `courseLook` that a fold was opened.
SCRIPT = (
    """<script>
OPEN
(() => {
  const say = (box, text) => { const at = box?.querySelector(".guess-said"); if (at) at.textContent = text; };
  const failed = "No kernel answers. Run this cell again, then commit.";
  const send = (kernel, data, box) => {
    let answered = false;
    say(box, "Sent. The kernel takes it when the cell that runs now is done.");
    const heard = got => {
      if (got.header?.msg_type === "update_display_data") {
        const html = got.content.data["text/html"] ?? "";
        const drawn = html.includes('class="guess"') && html.includes(`data-key="${data.key}"`);
        answered ||= drawn;
        // A page that was opened anew no longer knows where this output is.
        if (drawn) setTimeout(() => box?.isConnected && (box.outerHTML = html), 300);
      }
      const isDone = got.header?.msg_type === "status" && got.content.execution_state === "idle";
      if (isDone && !answered) say(box, failed);
    };
    window.courseOpen(kernel, "TARGET", data, heard, () => say(box, failed));
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
    box.focus();
    window.courseFocus = null;
  }
})();
</script>""".replace("OPEN", kernel_channel.SCRIPT)
    .replace("TARGET", TARGET)
    .replace("RUN", RUN)
)


def listen(take: kernel_channel.Take) -> None:
    """From now on hand over what is clicked."""
    kernel_channel.listen(TARGET, take)


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
