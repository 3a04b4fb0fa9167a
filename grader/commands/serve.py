"""Runs the checker for `grader serve`, and hands out tokens and hand-ins; answers no request."""

import os
import secrets
import socket
from dataclasses import dataclass
from pathlib import Path

import uvicorn
from rich.console import Console
from rich.text import Text

from ..cohort import NoIsolation, Setup, setup_for
from ..cohort.pool import Pool
from ..report.exports.totals import moment
from ..report.text import count
from ..service.app import Rules, Service
from ..service.bodies import Impatient
from ..service.enrolment import read_roster
from ..service.hub import HubService, HubUsers
from ..service.ledger import Store, written
from ..service.live_report import LiveReport
from ..service.markers import Marking
from ..wall.isolation_layers import available
from .grading import NoCluster
from .release import is_this_machine
from .tables import write_rows

_LIMITS = {"wall_seconds": 10.0, "submission_seconds": 30.0}  # somebody waits
_CONNECTIONS = 500


class NoPlace(Exception):
    """The address to listen on is taken, or none of this machine's."""


@dataclass(frozen=True)
class Serving:
    """The options of one checker."""

    folder: Path
    roster: Path | None = None
    jobs: int = 1
    host: str = "127.0.0.1"
    port: int = 8321
    checks_a_minute: float = 30.0
    marks: Path | None = None  # whose report instructors see
    cluster: str = ""  # marks there, and not on this machine
    hub: bool = False  # a service of JupyterHub, which says where to listen


def serve(options: Serving, out: Console) -> None:
    """Answer until interrupted.

    Raises NoIsolation, NoCluster, NoHub, NoPlace, RosterError, StoreError.
    """
    given = HubService.from_environment(os.environ) if options.hub else None
    if not options.cluster and not (ready := available()):
        raise NoIsolation(ready.why_not)
    with Store(options.folder) as store:
        if options.roster is not None:
            for learner, token in store.enrol(read_roster(options.roster)).items():
                out.print(Text(f"{learner}: {token}"), soft_wrap=True)
        seed = int(store.fact("seed", str(secrets.randbits(32))))
        rules = Rules(options.checks_a_minute)
        report = LiveReport(options.marks) if options.marks is not None else None
        setup = setup_for(seed, _LIMITS, False)
        hub = HubUsers(given, store) if given else None
        app = Service(store, _pools(options, setup), rules, report, hub).app()
        config = uvicorn.Config(
            app,
            http=Impatient,
            ws="none",
            log_level="warning",
            access_log=False,
            limit_concurrency=_CONNECTIONS,
            timeout_keep_alive=5,
            timeout_graceful_shutdown=5,
            server_header=False,
        )
        place = (given.host, given.port) if given else (options.host, options.port)
        with _listening(*place) as listening:
            host, port = listening.getsockname()[:2]
            address = f"http://{f'[{host}]' if ':' in host else host}:{port}"
            address += given.prefix if given else ""
            who = f"{count(len(store.learners()), 'learner')} can ask."
            if given:
                who = f"Whoever JupyterHub lets use the service {given.name!r} can ask."
            out.print(Text(who), soft_wrap=True)
            if not is_this_machine(host):
                message = "This listens beyond this machine, and tokens travel as they are: "
                out.print(Text(f"{message}put a reverse proxy with TLS in front."), soft_wrap=True)
            if report is not None:
                message = f"The report for instructors: {address}/report/"
                out.print(Text(message), soft_wrap=True)
            out.print(Text(f"Answering on {address}"), soft_wrap=True)
            try:
                uvicorn.Server(config).run(sockets=[listening])
            finally:
                if report is not None:
                    report.close()


def _listening(host: str, port: int) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family)
    except OSError as error:
        why = os.strerror(error.errno) if error.errno else str(error)
        raise NoPlace(f"cannot listen on {host}, port {port}: {why}") from None


def _pools(options: Serving, setup: Setup) -> list[Marking]:
    """What marks; nothing of it starts yet."""
    if not options.cluster:
        return [Pool(1, setup) for _ in range(options.jobs)]
    try:
        from ..cohort.cluster import ClusterPool
    except ImportError:
        raise NoCluster from None
    return [ClusterPool(options.cluster, setup) for _ in range(options.jobs)]


def new_token(folder: Path, learner: str, revoke: bool, out: Console) -> None:
    """Give a learner another token, or none; no learner: the instructors. Raises StoreError."""
    with Store(folder) as store:
        token = store.renew(learner, revoke) if learner else store.renew_instructor(revoke)
        who = learner or "instructors"
        message = f"{who}: {token}" if token else f"{who}: the token holds no longer."
        out.print(Text(message), soft_wrap=True)


def collect(folder: Path, target: Path, until: str, every: bool, out: Console) -> None:
    """Write each learner's last hand-in as `NAME.zip`, fit for `grader grade`, and all tries.

    `every` hand-in has its time in its name, as `grader grade --attempts` reads it.

    Raises StoreError and TotalsError.
    """
    last = written(moment(until)) if until else "9999"
    with Store(folder) as store:
        target.mkdir(parents=True, exist_ok=True)
        times: dict[str, str] = {}
        written_out = 0
        for number, each in enumerate(store.hand_ins(last, every)):
            suffix = f"+{each.time.replace(':', '')}+{number}" if every else ""
            (target / f"{each.learner}{suffix}.zip").write_bytes(each.content)
            times[each.learner] = each.time
            written_out += 1
        write_rows(target.with_name(f"{target.name}_times.csv"), ("learner", "time"), times.items())
        tries = target.with_name(f"{target.name}_tries.csv")
        head = ("learner", "exercise", "time", "verdict")
        rows = ((row.learner, row.exercise, row.time, row.verdict) for row in store.tries())
        write_rows(tries, head, rows)
    message = (
        f"{count(written_out, 'hand-in')} in {target}; every check that was asked for in {tries}."
    )
    out.print(Text(message), soft_wrap=True)
