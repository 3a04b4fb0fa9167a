"""Runs the checker for `grader serve`; answers no request."""

import os
import socket
from pathlib import Path

import uvicorn
from starlette.applications import Starlette

from ..cohort import fresh_seed, setup_for, way_of
from ..cohort.messages import NoIsolation
from ..curriculum.complaint import Complaint
from ..report.text import count
from ..service.app import CheckerService
from ..service.connections import Impatient
from ..service.enrolment import read_roster
from ..service.hub import HubService, HubUsers
from ..service.ledger import Ledger
from ..service.live_report import LiveReport
from ..wall.isolation_layers import available
from .console import is_this_machine, say

_LIMITS = {"wall_seconds": 10.0, "submission_seconds": 30.0}  # somebody waits
_CONNECTIONS = 500
_BEYOND = (
    "This listens beyond this machine, and tokens travel as they are: put a reverse proxy with TLS "
    "in front."
)


def serve(
    folder: Path,
    roster: Path | None,
    jobs: int,
    place: tuple[str, int],
    checks_a_minute: float,
    marks: Path | None,
    cluster: str,
    is_hubs: bool,
    chapters: tuple[str, ...],
) -> None:
    """Answer until interrupted.

    `marks`: the gradebook whose report instructors see. `cluster` marks, and not this machine.
    `is_hubs`: this is a service of JupyterHub, which says where to listen, not `place`.
    `chapters` alone are checked, where any is named.
    Raises Complaint.
    """
    given = HubService.from_environment(os.environ) if is_hubs else None
    if not cluster and not (ready := available()):
        raise NoIsolation(ready.why_not)
    with Ledger(folder) as store:
        if roster is not None:
            for learner, token in store.enrol(read_roster(roster)).items():
                say(f"{learner}: {token}")
        seed = int(store.fact("seed", str(fresh_seed())))
        report = LiveReport(marks) if marks is not None else None
        # `grader grade` takes no seed below 0: checks have other inputs than marks, whatever it is.
        setup = setup_for(-1 - seed, _LIMITS, False, draws_by_code=True)
        way = way_of(1, cluster)
        pools = [way(setup) for _ in range(jobs)]
        hub = HubUsers(given, store) if given else None
        app = CheckerService(store, pools, checks_a_minute, report, hub, chapters).app()
        with _listening(*((given.host, given.port) if given else place)) as listening:
            _tell(listening, len(store.learners()), given, has_report=report is not None)
            try:
                uvicorn.Server(_config(app)).run(sockets=[listening])
            finally:
                if report is not None:
                    report.close()


def _listening(host: str, port: int) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family)
    except OSError as error:
        why = error.strerror or str(error)
        raise Complaint(f"cannot listen on {host}, port {port}: {why}") from None


def _tell(
    listening: socket.socket, learners: int, given: HubService | None, has_report: bool
) -> None:
    """Who can ask, and where."""
    host, port = listening.getsockname()[:2]
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    address += given.prefix if given else ""
    who = f"{count(learners, 'learner')} can ask."
    if given:
        who = f"Whoever JupyterHub lets use the service {given.name!r} can ask."
    say(who)
    if not is_this_machine(host):
        say(_BEYOND)
    if has_report:
        say(f"The report for instructors: {address}/report/")
    say(f"Answering on {address}")


def _config(app: Starlette) -> uvicorn.Config:
    """Strangers ask: none may hold a connection for long, nor many at once."""
    return uvicorn.Config(
        app,
        http=Impatient,
        ws="none",
        log_level="warning",
        access_log=False,
        limit_concurrency=_CONNECTIONS,
        timeout_keep_alive=5,
        timeout_graceful_shutdown=5,
        server_header=False,
        headers=[("Connection", "close")],  # one request, so that none takes long to begin
    )
