# SPDX-License-Identifier: MIT
"""A page in a real browser: what it looks like when scripts have run, and what they complained about."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")

SAMPLES = Path(__file__).parent


def try_out(page: str, trial: str, folder: Path, width: int = 1200, dark: bool = False) -> tuple[Any, list[str]]:
    """Opens the page and runs the trial, the body of an asynchronous function; its result and all complaints."""
    assert CHROMIUM is not None
    file = folder / "trial.html"
    listen = (SAMPLES / "listen.js").read_text(encoding="utf-8")
    text = page.replace("<head>", f"<head><script>{listen}</script>", 1)
    text = text.replace("</body>", f"<script>__try(async () => {{ {trial} }});</script></body>", 1)
    file.write_text(text, encoding="utf-8")
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--dump-dom"]
    command += [f"--window-size={width},1000", "--virtual-time-budget=20000", f"--user-data-dir={folder / 'profile'}"]
    command += ["--blink-settings=preferredColorScheme=0"] if dark else []
    run = subprocess.run([*command, file.as_uri()], capture_output=True, text=True, timeout=120)
    found = re.search(r'<pre id="trial">(.*?)</pre>', run.stdout, re.DOTALL)
    assert found, run.stdout[-2000:] + run.stderr[-2000:]
    result, complaints = json.loads(html.unescape(found.group(1)))
    return result, complaints
