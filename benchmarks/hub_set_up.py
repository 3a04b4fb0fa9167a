"""Sets JupyterHub up with the checker, by the lines of docs/checker.md; knows no learner's work."""

import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WORK = ROOT / "build" / "hub"
PASSWORD = secrets.token_urlsafe(12)
# What a hub of an hour needs besides: two users without accounts on this machine, free ports.
BESIDES = """
c.JupyterHub.authenticator_class = "dummy"
c.DummyAuthenticator.password = {password!r}
c.Authenticator.allowed_users = {{"ada", "grace"}}
c.JupyterHub.spawner_class = "simple"
c.SimpleLocalProcessSpawner.home_dir_template = "{work}/homes/{{username}}"
c.Spawner.args = ["--allow-root"]
c.Spawner.start_timeout = 300
c.Spawner.http_timeout = 300
c.JupyterHub.bind_url = "http://127.0.0.1:{ports[0]}"
c.JupyterHub.hub_port = {ports[2]}
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:{ports[3]}"
"""


def page_blocks() -> tuple[list[str], str]:
    """The lines for a shell, and the configuration, of the page's section."""
    page = (ROOT / "docs" / "checker.md").read_text(encoding="utf-8")
    section = page.partition("## In JupyterHub\n")[2].partition("\n## ")[0]
    (configuration,) = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    return re.findall(r"```sh\n(.*?)```", section, re.DOTALL), configuration


def free_ports(number: int) -> list[int]:
    """Ports of this machine that nobody listens on."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(number)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


@contextmanager
def running_hub(is_kept: bool) -> Iterator[str]:
    """Set up and start all that the page says; the hub's address."""
    ports = free_ports(4)
    (setting_up, starting), configuration = page_blocks()

    def here(text: str) -> str:
        text = text.replace("/srv/course", str(WORK)).replace(":8000", f":{ports[0]}")
        return text.replace(":8321", f":{ports[1]}")

    for each in ("bundle", "homes", "kept", "marks", "handed_in"):
        shutil.rmtree(WORK / each, ignore_errors=True)
    for path in (*WORK.glob("*.csv"), *WORK.glob("jupyterhub*")):
        path.unlink()
    WORK.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError):
        (WORK / ".venv").symlink_to(ROOT / ".venv")
    began = time.monotonic()
    clean = {name: text for name, text in os.environ.items() if not name.startswith("GRADER_")}
    clean.pop("VIRTUAL_ENV", None)
    with (WORK / "setup.log").open("w", encoding="utf-8") as log:
        made = r".*(-m venv|requirements.lock|npm install).*\n"
        command = ["sh", "-exc", here(re.sub(made, "", setting_up) if is_kept else setting_up)]
        subprocess.run(command, env=clean, stdout=log, stderr=log, check=True)
    how = "with the environment that is there" if is_kept else "as the page says"
    print(f"set up {how}, in {time.monotonic() - began:.0f} s")
    extra = BESIDES.format(password=PASSWORD, work=WORK, ports=ports)
    path = WORK / "jupyterhub_config.py"
    path.write_text(here(configuration) + extra, encoding="utf-8")
    for learner in ("ada", "grace"):
        shutil.copytree(WORK / "bundle" / "notebooks", WORK / "homes" / learner / "notebooks")
    with (
        (WORK / "hub.log").open("w", encoding="utf-8") as log,
        subprocess.Popen(
            ["sh", "-c", starting], cwd=WORK, env=clean, stdout=log, stderr=log, process_group=0
        ) as process,
    ):
        try:
            _wait_for("JupyterHub is now running", WORK / "hub.log", process)
            yield f"http://127.0.0.1:{ports[0]}"
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(60)


def _wait_for(
    words: str, path: Path, process: subprocess.Popen[bytes], seconds: float = 120
) -> None:
    """Until a log holds these words."""
    until = time.monotonic() + seconds
    while words not in path.read_text(encoding="utf-8"):
        assert process.poll() is None and time.monotonic() < until, f"see {path}"
        time.sleep(0.2)
