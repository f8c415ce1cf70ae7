# SPDX-License-Identifier: MIT
"""Workers of a Dask cluster judge files, here or on other machines.

Whatever a worker does costs time and no grade. One that dies, hangs or has another version of the course is not asked
again; its file goes to another one, and after some of them to this process, which also goes on alone if no worker is
left. What comes back is believed only with the proof of worker.py.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import logging
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ..core.console import CourseError
from ..core.plain import one_line
from ..sandbox.allowance import Allowance
from ..setup import machine
from . import worker
from .config import Item
from .outcome import Outcome

_TRIES = 4  # workers that a file is given to
_SLACK = 60.0  # seconds beyond twice what a file may use up: another one may be before it
_FIRST = 600.0  # the same while no worker has answered yet: it may have to build the emulator
_ALONE = 120.0  # seconds without any worker
_LOOK_EVERY = 2.0  # seconds between two questions who is there
JUDGE = "warpladder.grading.worker:judge"


@dataclass(frozen=True)
class Order:
    """What is the same for all files of a run."""

    rules: str  # the text of grading.json
    seed: int
    backend: str
    stages: tuple[bool, ...]
    walls: tuple[str, ...]
    expected: Callable[[str], str] = worker.proof
    function: str = JUDGE


class Cluster:
    def __init__(self, client: Any, order: Order, say: Callable[[str], None]) -> None:  # noqa: ANN401
        self._client, self._order, self._say = client, order, say
        self._nonce = secrets.token_hex(16)
        self._proof = order.expected(self._nonce)
        self._lock = threading.Lock()
        self._here = threading.Semaphore(machine.default_jobs())  # more threads wait for workers than can judge here
        self._alone = False  # nobody came for a while: nobody is waited for any more
        self._avoided: dict[str, str] = {}
        self._known: set[str] = set()  # workers that have answered before
        self._failures: set[str] = set()  # those that were told
        self._there: tuple[float, list[str]] = (0.0, [])
        self.slots = max(4, min(256, 2 * len(self._workers())))
        self.sent = self.lost = 0

    def judge(self, item: Item, text: bytes, allowance: Allowance, here: Callable[[], Outcome]) -> Outcome:
        seconds, cpu_seconds = allowance.left
        order = self._order
        task = {
            "nonce": self._nonce,
            "rules": order.rules,
            "seed": order.seed,
            "backend": order.backend,
            "stages": list(order.stages),
            "walls": list(order.walls),
            "exercise": item.exercise.name,
            "text": text,
            "seconds": seconds,
            "cpu_seconds": cpu_seconds,
        }
        for number in range(_TRIES):
            good = self._wait_for_workers()
            with self._lock:
                self.sent += bool(good) and number == 0
            answer = self._asked(task, seconds, good) if good else None
            if answer is not None:
                allowance.take(*answer["used"])
                return worker.outcome_of(answer)
            if not good:
                break
        with self._here:
            return here()

    def _asked(self, task: dict[str, Any], seconds: float, good: list[str]) -> dict[str, Any] | None:
        """None: whoever was asked is of no use."""
        future = self._client.submit(
            _messenger(),
            self._order.function,
            task,
            workers=good if self._avoided else None,
            pure=False,
            key=f"{task['exercise']}-{secrets.token_hex(8)}",
        )
        try:
            answer = future.result(timeout=2 * seconds + (_SLACK if self._known else _FIRST))
        except (Exception, asyncio.CancelledError) as error:  # the worker's end, its failure, a time that is over
            if isinstance(error, (TimeoutError, asyncio.TimeoutError)):
                for address in self._working_on(future.key):
                    self._avoid(address, "it does not answer")
            else:
                self._failed(error)
            with self._lock:
                self.lost += 1
            with contextlib.suppress(Exception):
                future.cancel(force=True)
            return None
        return self._believed(answer)

    def _believed(self, answer: object) -> dict[str, Any] | None:
        if not isinstance(answer, dict) or "worker" not in answer:
            return None
        address = str(answer["worker"])
        if answer.get("proof") != self._proof:
            self._avoid(address, "it has another version of the course or of the compiler")
            return None
        if "refused" in answer:
            self._avoid(address, str(answer["refused"]))
            return None
        with self._lock:
            self._known.add(address)
        return answer

    def _avoid(self, address: str, why: str) -> None:
        with self._lock:
            new = address not in self._avoided
            self._avoided[address] = why
            self.lost += 1
        if new:
            self._say(f"worker {address} is not asked any more: {why}")

    def _failed(self, error: BaseException) -> None:
        """Each kind is told once: it costs time, and somebody may be able to help."""
        kind = type(error).__name__
        with self._lock:
            new = kind not in self._failures
            self._failures.add(kind)
        if new:
            first = next(iter(one_line(str(error)).split(". ")), "")[:200]
            self._say(f"a worker gave no answer ({kind}{': ' if first else ''}{first}); the file goes to another one")

    def _working_on(self, key: str) -> list[str]:
        with contextlib.suppress(Exception):
            return [address for address, keys in self._client.processing().items() if key in map(str, keys)]
        return []

    def _workers(self) -> list[str]:
        when, found = self._there
        if not found or time.monotonic() - when > _LOOK_EVERY:
            try:
                found = list(self._client.scheduler_info(n_workers=-1)["workers"])
            except Exception:
                found = []
            self._there = time.monotonic(), found
        return found

    def _wait_for_workers(self) -> list[str]:
        until = time.monotonic() + _ALONE
        while not (good := [address for address in self._workers() if address not in self._avoided]):
            if self._alone:
                return []
            if time.monotonic() > until:
                why = "; ".join(sorted(set(self._avoided.values()))) or "there is none"
                with self._lock:
                    new, self._alone = not self._alone, True
                if new:
                    self._say(f"no worker can be asked ({why}): this process goes on alone until one comes")
                return []
            time.sleep(0.1)
        self._alone = False
        return good


def _dask() -> Any:  # noqa: ANN401
    """It is there only where somebody asked for it, and it has no types."""
    return importlib.import_module("distributed")


def _messenger() -> Callable[[str, dict[str, Any]], dict[str, Any]]:
    """What goes to a worker: it calls the function of that name there, and adds who it is.

    The scheduler unpacks it on the way and has no course, so it is packed as it is (a function inside a function) and
    not by the name of its module.
    """

    def called(function: str, task: dict[str, Any]) -> dict[str, Any]:
        import importlib

        module, name = function.split(":")
        answer: dict[str, Any] = getattr(importlib.import_module(module), name)(task)
        return answer | {"worker": importlib.import_module("distributed").get_worker().address}

    return called


@contextlib.contextmanager
def cluster(workers: str, order: Order, say: Callable[[str], None]) -> Iterator[Cluster]:
    """`workers`: a number of processes on this machine, or the address of a scheduler."""
    dask = _dask()
    try:
        if workers.isdecimal():
            local = dask.LocalCluster(
                n_workers=int(workers),
                threads_per_worker=1,
                processes=True,
                dashboard_address=None,
                host="127.0.0.1",
                silence_logs=logging.CRITICAL,  # what its workers do is said in our own words
            )
            client = dask.Client(local, timeout=60)
        else:
            local, client = None, dask.Client(workers, timeout=30)
    except (OSError, ValueError, RuntimeError) as error:
        raise CourseError(f"--workers {workers}: {error}", exit_code=3) from None
    try:
        yield Cluster(client, order, say)
    finally:
        with contextlib.suppress(Exception):
            client.close()
        if local is not None:
            with contextlib.suppress(Exception):
                local.close()
