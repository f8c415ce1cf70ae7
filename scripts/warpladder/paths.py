# SPDX-License-Identifier: MIT
"""Where things are in the repository."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
LOGS = BUILD / "logs"
VENV = ROOT / ".venv"
REQUIREMENTS = ROOT / "scripts" / "requirements.txt"
