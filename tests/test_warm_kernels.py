"""A kernel of the tests' is as one that has just started, and ends with what Jupyter started."""

import os
import select
from collections.abc import Iterator
from pathlib import Path

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager, start_new_kernel


@pytest.fixture
def kernel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[KernelManager, BlockingKernelClient]]:
    monkeypatch.setenv("TOLD", "by this test")
    manager, client = start_new_kernel(cwd=str(tmp_path))
    yield manager, client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def said(client: BlockingKernelClient, code: str) -> str:
    """What a cell prints, or the name of its error."""
    texts: list[str] = []

    def note(message: dict[str, dict[str, str]]) -> None:
        texts.extend(message["content"].get(name, "") for name in ("text", "ename"))

    client.execute_interactive(code, output_hook=note, timeout=60)
    return "".join(texts).strip()


def test_it_has_its_own_folder_and_environment_and_nothing_of_ours(
    kernel: tuple[KernelManager, BlockingKernelClient], tmp_path: Path
) -> None:
    _, client = kernel
    assert said(client, "import os, sys; print(os.getcwd(), os.environ['TOLD'])") == (
        f"{tmp_path} by this test"
    )
    loaded = "print([name for name in sys.modules if name.startswith(('grader', 'kit', 'tests'))])"
    assert said(client, loaded) == "[]"
    assert said(client, "print(__name__, '' in sys.path)") == "__main__ True"


def test_it_hears_an_interrupt_and_ends_with_what_jupyter_started(
    kernel: tuple[KernelManager, BlockingKernelClient],
) -> None:
    manager, client = kernel
    ended = os.pidfd_open(int(said(client, "import os; print(os.getpid())")))
    client.execute("print('begun', flush=True)\nwhile True: pass")
    while client.get_iopub_msg(timeout=60)["msg_type"] != "stream":
        pass
    manager.interrupt_kernel()
    assert client.get_shell_msg(timeout=60)["content"]["ename"] == "KeyboardInterrupt"
    assert select.select([ended], [], [], 0)[0] == []
    manager.shutdown_kernel(now=True)
    assert select.select([ended], [], [], 60)[0] == [ended]
    os.close(ended)
