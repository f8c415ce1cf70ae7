# SPDX-License-Identifier: MIT
"""What comes from the package index: whole or not at all, whatever happens on the way. A folder serves as the index."""

from __future__ import annotations

import functools
import hashlib
import http.server
import json
import os
import signal
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from warpladder.core.console import Console, CourseError
from warpladder.setup import index, machine, pins, provision, recipes, store, toolkit

ROOT = Path(__file__).resolve().parents[3]
# Stands in for nvcc: says its version, and "compiles" by leaving a file.
NVCC = """#!/bin/sh
case "$*" in *--version*) echo "release 13.0, V13.0.88" ;; *) for word; do last=$word; done; : > "$last" ;; esac
"""


class Server(http.server.SimpleHTTPRequestHandler):
    """A package index with its faults: a file that breaks off after `cut` bytes the first time, a slow one."""

    cut: int = 0
    chunk_delay: float = 0.0
    log: list[str]

    def do_GET(self) -> None:
        self.log.append(self.path)
        path = Path(self.translate_path(self.path))
        if path.suffix != ".whl":
            return super().do_GET()
        data = path.read_bytes()
        start = int(self.headers.get("Range", "bytes=0-")[6:].rstrip("-"))
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(data) - start))
        self.end_headers()
        end = min(len(data), type(self).cut or len(data))
        type(self).cut = 0
        for position in range(start, end, 1 << 16):
            self.wfile.write(data[position : min(end, position + (1 << 16))])
            time.sleep(type(self).chunk_delay)

    def log_message(self, *_: object) -> None: ...


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "index"
    folder.mkdir()
    Server.cut, Server.chunk_delay, Server.log = 0, 0.0, []
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Server, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{server.server_port}/simple/")
    for variable in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(variable, raising=False)
    for module in (pins, store, toolkit, machine):
        monkeypatch.setattr(module, "TOOLKIT", tmp_path / ".toolkit")
    monkeypatch.setattr(pins, "CACHE", tmp_path / ".toolkit" / "cache")
    monkeypatch.setattr(pins, "PINS", tmp_path / "pinned.json")
    monkeypatch.setattr(time, "sleep", lambda seconds, sleep=time.sleep: sleep(min(seconds, 0.05)))
    publish(
        tmp_path,
        "cuda",
        "nvidia-cuda-nvcc",
        "13.0.88",
        {"nvidia/cu13/bin/nvcc": NVCC, "nvidia/cu13/lib/libcudart.so.13": "x"},
    )
    yield tmp_path
    server.shutdown()
    server.server_close()


def publish(home: Path, entry: str, project: str, version: str, files: dict[str, str], pad: int = 1 << 20) -> Path:
    """Puts a wheel into the index and pins it."""
    folder = home / "index" / "simple" / project
    folder.mkdir(parents=True, exist_ok=True)
    wheel = folder / f"{project.replace('-', '_')}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, text in {**files, "padding": "x" * pad}.items():
            info = zipfile.ZipInfo(name)
            info.external_attr = 0o755 << 16
            archive.writestr(info, text)
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    (folder / "index.html").write_text(f'<a href="{wheel.name}#sha256={digest}">{wheel.name}</a>\n')
    path = home / "pinned.json"
    data = json.loads(path.read_text()) if path.exists() else {}
    file = {"name": wheel.name, "sha256": digest, "bytes": wheel.stat().st_size}
    data[entry] = [{"project": project, "version": version, "files": {"any": file}}]
    path.write_text(json.dumps(data))
    return wheel


def parts(home: Path) -> list[str]:
    return sorted(path.name for path in (home / ".toolkit").iterdir())


def test_the_toolkit_is_whole_and_fetched_once(served: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nvcc = toolkit.install(Console())
    assert nvcc == served / ".toolkit" / "cuda-13.0" / "bin" / "nvcc"
    assert os.access(nvcc, os.X_OK)
    assert (nvcc.parent.parent / "lib64" / "libcudart.so").read_text() == "x"
    assert parts(served) == ["cuda-13.0", "lock"]
    assert capsys.readouterr().out.count("fetching nvcc 13.0 from the Python package index (1.0 MB") == 1
    asked = len(Server.log)
    assert toolkit.install(Console()) == nvcc
    assert len(Server.log) == asked


def test_a_broken_connection_is_taken_up_where_it_broke(served: Path) -> None:
    Server.cut = 300_000
    toolkit.install(Console())
    assert parts(served) == ["cuda-13.0", "lock"]
    assert sum(path.endswith(".whl") for path in Server.log) == 2


def test_a_file_that_is_not_the_pinned_one_is_refused(served: Path) -> None:
    (wheel,) = served.glob("index/simple/*/*.whl")
    wheel.write_bytes(wheel.read_bytes()[:-1] + b"!")
    with pytest.raises(CourseError, match="is not the file that was pinned") as error:
        toolkit.install(Console())
    assert error.value.exit_code == 3
    assert parts(served) == ["cache", "lock"]
    assert list((served / ".toolkit" / "cache").iterdir()) == []


def test_an_nvcc_that_does_not_work_does_not_stay(served: Path) -> None:
    publish(
        served, "cuda", "nvidia-cuda-nvcc", "13.0.88", {"nvidia/cu13/bin/nvcc": "#!/bin/sh\necho no luck >&2\nexit 1\n"}
    )
    with pytest.raises(CourseError, match="does not work here: no luck"):
        toolkit.install(Console())
    assert "cuda-13.0" not in parts(served)


def test_no_network_gets_one_line(served: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    with pytest.raises(
        CourseError, match=r"nvcc cannot be fetched: 127.0.0.1: .*refused; install the CUDA toolkit 13"
    ) as error:
        toolkit.install(Console())
    assert error.value.exit_code == 3
    assert "\n" not in str(error.value)


def test_what_a_killed_run_left_is_swept_up(served: Path) -> None:
    """Killed with -9 in the middle of the download, and in the middle of unpacking."""
    Server.chunk_delay = 0.05
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from pathlib import Path; from warpladder.setup import pins, store, toolkit\n"
        "home = Path(sys.argv[2]); pins.PINS = home / 'pinned.json'; pins.CACHE = home / '.toolkit' / 'cache'\n"
        "pins.TOOLKIT = store.TOOLKIT = toolkit.TOOLKIT = home / '.toolkit'\n"
        "from warpladder.core.console import Console; toolkit.install(Console())\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-B", "-c", code, str(ROOT / "scripts"), str(served)], stdout=subprocess.DEVNULL
    )
    part = served / ".toolkit" / "cache" / "nvidia_cuda_nvcc-13.0.88-py3-none-any.whl.part"
    deadline = time.monotonic() + 20
    while not (part.exists() and part.stat().st_size) and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert part.exists() and "cuda-13.0" not in parts(served)
    (served / ".toolkit" / "new-1" / "bin").mkdir(parents=True)  # as if it had been unpacking
    Server.chunk_delay = 0.0
    toolkit.install(Console())
    assert parts(served) == ["cuda-13.0", "lock"]


def test_two_at_once_do_not_clash(served: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Server.chunk_delay = 0.02
    results: list[Path] = []
    threads = [threading.Thread(target=lambda: results.append(toolkit.install(Console()))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 2 and len(set(results)) == 1
    assert sum(path.endswith(".whl") for path in Server.log) == 1
    assert "waiting for another ./course" in capsys.readouterr().out


def test_a_folder_that_cannot_be_written_gets_one_line(served: Path) -> None:
    (served / ".toolkit").write_text("in the way")
    with pytest.raises(CourseError, match="cannot write") as error:
        toolkit.install(Console())
    assert error.value.exit_code == 3


def test_a_wheel_cannot_write_outside_its_folder(served: Path) -> None:
    wheel = publish(served, "cuda", "evil", "1", {"nvidia/cu13/../../out": "x"})
    with pytest.raises(CourseError, match="leads out of its folder"):
        store.unpack_wheel(wheel, served / "in" / "here", "nvidia/cu13/")
    assert not (served / "out").exists()


def test_another_version_is_looked_up_with_all_that_belongs_to_it(served: Path) -> None:
    for version in ("13.4.92", "13.9.1"):
        publish(served, "x", "nvidia-cuda-nvcc", version, {})
    wheels = sorted((served / "index" / "simple" / "nvidia-cuda-nvcc").glob("*.whl"))
    page = "".join(f'<a href="{w.name}#sha256={index.digest(w)}">{w.name}</a>\n' for w in wheels)
    (wheels[0].parent / "index.html").write_text(page)
    wanted = ["nvidia-cuda-nvcc==13.4.92.*; extra == 'nvcc'", "other==1.*; extra == 'x'"]
    text = "Metadata-Version: 2.4\n" + "".join(f"Requires-Dist: {line}\n" for line in wanted)
    publish(served, "x", "cuda-toolkit", "13.4.3", {"cuda_toolkit-13.4.3.dist-info/METADATA": text})
    assert [(pin.project, pin.version) for pin in toolkit.look_up("newest", "aarch64")] == [
        ("nvidia-cuda-nvcc", "13.4.92")
    ]
    with pytest.raises(CourseError, match=r"no cuda-toolkit 13\.7\.\* for aarch64") as error:
        toolkit.look_up("13.7", "aarch64")
    assert error.value.exit_code == 2


# ---- tools and libraries without root


def requirement(name: str, found: bool, index_name: str = "") -> machine.Requirement:
    return machine.Requirement(name, name.lower(), lambda: found, index=index_name)


def test_what_cannot_be_had_is_said_at_once_and_before_anything_is_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(provision, "_root_prefix", lambda: None)
    monkeypatch.setattr(recipes, "install", lambda *_: pytest.fail("something was fetched"))
    absent = (requirement("A", False), requirement("Ninja", False, "Ninja"), requirement("B", False))
    monkeypatch.setattr(machine, "REQUIREMENTS", absent)
    with pytest.raises(CourseError, match="^missing: A, B; get them with `sudo apt-get install a b`$") as error:
        provision.ensure_packages(Console())
    assert error.value.exit_code == 3


def test_certificates_are_asked_for_where_something_must_be_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(provision, "_root_prefix", lambda: None)
    certificates = machine.Requirement("certificates", machine.CERTIFICATES, lambda: False, needed=False)
    monkeypatch.setattr(machine, "REQUIREMENTS", (requirement("G", False), certificates))
    monkeypatch.setattr(machine, "find_nvcc", lambda: "nvcc")
    with pytest.raises(CourseError, match="^missing: G; get"):
        provision.ensure_packages(Console())
    monkeypatch.setattr(machine, "find_nvcc", lambda: None)
    with pytest.raises(CourseError, match="^missing: G, certificates; get them with `sudo apt-get install g ca-certif"):
        provision.ensure_packages(Console())


def test_without_a_network_all_that_is_missing_is_named(served: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setattr(provision, "_root_prefix", lambda: None)
    publish(served, "ninja", "ninja", "1.13", {})
    publish(served, "cmake", "cmake", "3.31", {})
    absent = (requirement("CMake", False, "CMake"), requirement("Ninja", False, "Ninja"))
    monkeypatch.setattr(machine, "REQUIREMENTS", absent)
    with pytest.raises(CourseError, match=r"^missing: CMake, Ninja \(.*refused\); get them with .*cmake ninja`$"):
        provision.ensure_packages(Console())


def test_a_tool_of_the_index_is_found_afterwards(served: Path) -> None:
    publish(served, "ninja", "ninja", "1.13", {"ninja-1.13.data/scripts/ninja": "#!/bin/sh\n"})
    recipes.install(Console(), [requirement("Ninja", False, "Ninja")])
    assert machine.tool("ninja") == str(served / ".toolkit" / "tools" / "ninja" / "bin" / "ninja")
    assert parts(served) == ["lock", "tools"]


def test_every_requirement_has_a_known_recipe_and_every_recipe_a_pin() -> None:
    assert {r.index for r in machine.REQUIREMENTS if r.index} == set(recipes.RECIPES)
    for name in [entry for entry, _, _ in recipes.RECIPES.values()] + ["cuda", "pip"]:
        for machine_name in pins.MACHINES:
            for pin in pins.of(name, machine_name):
                assert len(pin.sha256) == 64 and pin.bytes > 0
    assert {pin.version.rsplit(".", 1)[0] for pin in pins.of("cuda", "x86_64")} == {machine.PINNED_CUDA}


# ---- pip's settings


def test_the_index_of_pip_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PIP_INDEX_URL", raising=False)
    (tmp_path / "pip.conf").write_text("[global]\nindex-url = https://mirror.example/simple/\n")
    monkeypatch.setenv("PIP_CONFIG_FILE", str(tmp_path / "pip.conf"))
    assert index.address() == "https://mirror.example/simple"
    monkeypatch.setenv("PIP_INDEX_URL", "https://other.example/simple")
    assert index.address() == "https://other.example/simple"
