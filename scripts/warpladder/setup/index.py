# SPDX-License-Identifier: MIT
"""Fetches files from the Python package index with nothing but Python: neither pip nor a virtual environment is needed.

It heeds what pip heeds: PIP_INDEX_URL, PIP_CERT and pip's configuration files, and the usual proxy variables.
"""

from __future__ import annotations

import base64
import configparser
import hashlib
import html
import http.client
import os
import re
import ssl
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

_PUBLIC = "https://pypi.org/simple"
_LINK = re.compile(r'<a\s[^>]*?href="([^"]+)"[^>]*>\s*([^<]+?)\s*</a>', re.IGNORECASE)
_TRIES = 3
_SECONDS_OF_SILENCE = 60
_CHUNK = 1 << 18
T = TypeVar("T")


class IndexUnreachable(Exception):
    """The index, or a file of it, cannot be had: the text says why."""

    def __init__(self, message: str, final: bool = False) -> None:
        super().__init__(message)
        self.final = final  # asking again would not help


class WrongFile(Exception):
    """What was fetched is not what was pinned."""


@dataclass(frozen=True)
class Link:
    name: str
    url: str
    sha256: str  # as the index gives it; may be empty


def setting(key: str) -> str:
    """A setting of pip: from the environment, else from its configuration files, the user's before the system's."""
    if value := os.environ.get("PIP_" + key.upper().replace("-", "_")):
        return value
    home, config = Path.home(), os.environ.get("XDG_CONFIG_HOME")
    files: list[str | Path | None] = [
        os.environ.get("PIP_CONFIG_FILE"),
        Path(config or home / ".config") / "pip" / "pip.conf",
    ]
    files += [home / ".pip" / "pip.conf", "/etc/pip.conf"]
    for file in (file for file in files if file):
        parser = configparser.RawConfigParser()
        try:
            parser.read(file, encoding="utf-8")
        except (configparser.Error, OSError, UnicodeDecodeError):
            continue  # pip says what is wrong with it; here it is as if it were not there
        if value := parser.get("global", key, fallback=""):
            return value
    return ""


def address() -> str:
    return (setting("index-url") or _PUBLIC).rstrip("/")


def links(project: str) -> list[Link]:
    """All files of a project, in the order of the index."""
    page = f"{address()}/{project}/"
    base, text = _retried(lambda: _page(page))
    found = []
    for target, name in _LINK.findall(text):
        url, _, fragment = urllib.parse.urljoin(base, html.unescape(target)).partition("#")
        digest = fragment.removeprefix("sha256=") if fragment.startswith("sha256=") else ""
        found.append(Link(html.unescape(name), url, digest))
    return found


def _page(url: str) -> tuple[str, str]:
    with _open(url) as answer:
        return answer.url, b"".join(_blocks(answer)).decode("utf-8", "replace")


def size_of(link: Link) -> int:
    with _open(link.url, method="HEAD") as answer:
        return int(answer.headers.get("Content-Length") or 0)


def fetch(link: Link, path: Path, size: int, sha256: str, progress: Callable[[int], None]) -> None:
    """Fetches a file; goes on where a broken connection left it. `path` is made only if it is the right file."""
    part = path.with_name(path.name + ".part")
    _retried(lambda: _fetch_rest(link.url, part, size, progress))
    if digest(part) != sha256:
        part.unlink()
        raise WrongFile(f"{link.name} from {address()} is not the file that was pinned (its SHA-256 differs)")
    part.rename(path)


def _retried(step: Callable[[], T]) -> T:
    for seconds in range(1, _TRIES):
        try:
            return step()
        except IndexUnreachable as error:
            if error.final:
                raise
            time.sleep(seconds)
    return step()


def digest(path: Path) -> str:
    with path.open("rb") as file:
        value = hashlib.sha256()
        while block := file.read(_CHUNK):
            value.update(block)
    return value.hexdigest()


def _fetch_rest(url: str, part: Path, size: int, progress: Callable[[int], None]) -> None:
    there = part.stat().st_size if part.exists() else 0
    if there >= size:
        part.unlink(missing_ok=True)  # whole files have another name: this is none
        there = 0
    with _open(url, start=there) as answer, part.open("ab") as file:
        if answer.status != 206:
            file.truncate(0)
        done = file.tell() if answer.status == 206 else 0
        for block in _blocks(answer):
            file.write(block)
            done += len(block)
            progress(done)
            if done > size:
                raise WrongFile(f"{part.stem} from {address()} is larger than what was pinned")
    if done < size:
        raise IndexUnreachable(f"the connection broke at {done} of {size} bytes")


def _blocks(answer: http.client.HTTPResponse) -> Iterator[bytes]:
    try:
        while block := answer.read(_CHUNK):
            yield block
    except (OSError, http.client.HTTPException) as error:
        raise IndexUnreachable(_reason(answer.url, error)) from None


def _open(url: str, start: int = 0, method: str = "GET") -> http.client.HTTPResponse:
    place = urllib.parse.urlsplit(url)
    headers = {"User-Agent": "warp-ladder", "Accept": "text/html, */*"}
    if start:
        headers["Range"] = f"bytes={start}-"
    if place.username:
        secret = f"{urllib.parse.unquote(place.username)}:{urllib.parse.unquote(place.password or '')}"
        headers["Authorization"] = "Basic " + base64.b64encode(secret.encode()).decode()
        host = place.hostname or ""
        url = place._replace(netloc=f"{host}:{place.port}" if place.port else host).geturl()
    request = urllib.request.Request(url, headers=headers, method=method)
    try:
        answer: http.client.HTTPResponse = urllib.request.urlopen(
            request, timeout=_SECONDS_OF_SILENCE, context=_certificates()
        )
        return answer
    except urllib.error.HTTPError as error:
        raise IndexUnreachable(f"{_shown(url)} answers {error.code} {error.reason}", error.code < 500) from None
    except urllib.error.URLError as error:
        raise IndexUnreachable(_reason(url, error.reason)) from None
    except (OSError, http.client.HTTPException) as error:
        raise IndexUnreachable(_reason(url, error)) from None
    except ValueError as error:
        raise IndexUnreachable(f"{_shown(url)}: {error}", final=True) from None


def _reason(url: str, reason: object) -> str:
    if isinstance(reason, ssl.SSLCertVerificationError) and not has_certificates():
        return "there are no certificates to check it with (the package ca-certificates brings them)"
    text = reason.strerror if isinstance(reason, OSError) and reason.strerror else str(reason)
    return f"{urllib.parse.urlsplit(url).hostname}: {text}"


def _shown(url: str) -> str:
    return urllib.parse.urlsplit(url)._replace(query="", fragment="").geturl()


def _certificates() -> ssl.SSLContext:
    own = setting("cert")
    return ssl.create_default_context(cafile=own if own and Path(own).is_file() else None)


def has_certificates() -> bool:
    """Whether https can be checked at all: a bare Debian has nothing to do it with."""
    default = ssl.get_default_verify_paths()
    files = [setting("cert"), default.cafile]
    return any(file and Path(file).is_file() for file in files) or any(
        folder and any(Path(folder).glob("*.0")) for folder in (default.capath,)
    )
