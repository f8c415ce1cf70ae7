# SPDX-License-Identifier: MIT
"""One Chromium for many pages, spoken to through a pipe by its DevTools protocol: opens pages, changes their width and
theme, runs scripts in them, and hears every complaint."""

from __future__ import annotations

import base64
import fcntl
import itertools
import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from browser import CHROMIUM

_OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-extensions",
    "--no-first-run",
    "--remote-debugging-pipe",
)


class Browser:
    """Used as a context. `complaints` grows: errors of scripts and of the console, and loads that failed."""

    def __init__(self, folder: Path) -> None:
        assert CHROMIUM is not None
        to_read, self._to = os.pipe()
        self._from, to_write = os.pipe()
        high = [
            fcntl.fcntl(each, fcntl.F_DUPFD_CLOEXEC, 10) for each in (to_read, to_write)
        ]  # out of the way of 3 and 4
        self._process = subprocess.Popen(
            [CHROMIUM, *_OPTIONS, f"--user-data-dir={folder}"],
            preexec_fn=lambda: (os.dup2(high[0], 3), os.dup2(high[1], 4)),  # where Chromium expects them
            close_fds=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for each in (to_read, to_write, *high):
            os.close(each)
        self._numbers = itertools.count(1)
        self._rest = b""
        self._session = ""
        self.complaints: list[str] = []
        self.loads: list[str] = []
        self._events: list[str] = []

    def __enter__(self) -> Browser:
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for part in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{part}.enable")
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._to)
        os.close(self._from)

    def call(self, method: str, **parameters: Any) -> Any:  # noqa: ANN401 (what the protocol says)
        number = next(self._numbers)
        message: dict[str, Any] = {"id": number, "method": method, "params": parameters}
        if self._session and not method.startswith("Target."):
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while (answer := self._next()).get("id") != number:
            self._hear(answer)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            some = os.read(self._from, 1 << 20)
            if not some:
                raise RuntimeError("Chromium has ended")
            self._rest += some
        one, _, self._rest = self._rest.partition(b"\0")
        found: dict[str, Any] = json.loads(one)
        return found

    def _hear(self, event: dict[str, Any]) -> None:
        method, told = event.get("method", ""), event.get("params", {})
        self._events.append(method)
        if method == "Runtime.exceptionThrown":
            self.complaints.append(json.dumps(told["exceptionDetails"])[:500])
        elif method == "Log.entryAdded" and told["entry"]["level"] in ("error", "warning"):
            self.complaints.append(f"{told['entry']['text']} {told['entry'].get('url', '')}")
        elif method == "Runtime.consoleAPICalled" and told["type"] in ("error", "warning", "assert"):
            self.complaints.append(" ".join(str(each.get("value")) for each in told["args"]))
        elif method == "Network.loadingFailed" and not told.get("canceled"):
            self.complaints.append(f"not loaded: {told['errorText']}")
        elif method == "Network.requestWillBeSent":
            self.loads.append(told["request"]["url"])

    def open(self, address: str) -> None:
        """Returns when the page and all that it loads is there."""
        self._events.clear()
        answer = self.call("Page.navigate", url=address)
        if answer.get("errorText"):
            raise RuntimeError(f"{address}: {answer['errorText']}")
        while "Page.loadEventFired" not in self._events:
            self._hear(self._next())

    def size(self, width: int, height: int = 900) -> None:
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )

    def media(self, scheme: str, kind: str = "") -> None:
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.call("Emulation.setEmulatedMedia", media=kind, features=features)

    def run(self, script: str) -> Any:  # noqa: ANN401 (what the script returns)
        """The body of an asynchronous function."""
        answer = self.call(
            "Runtime.evaluate", expression=f"(async () => {{ {script} }})()", awaitPromise=True, returnByValue=True
        )
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"])[:1000])
        return answer["result"].get("value")

    def press(self, keys: Sequence[str]) -> None:
        for key in keys:
            for kind in ("keyDown", "keyUp"):
                self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key)

    def picture(self, file: Path) -> None:
        file.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))
