# SPDX-License-Identifier: MIT
"""Draws the scene of lesson 13 into its chapter: python3 scripts/record_scene.py [PROGRAM]

PROGRAM is 13_point_cloud.cluster (build/default/lessons). It writes pictures that are not compressed, so that it needs
nothing to write them; here they become small: a palette, and zlib.
"""

from __future__ import annotations

import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from warpladder.core.paths import BUILD, LESSONS  # noqa: E402

SCENE = LESSONS / "13_point_cloud" / "scene"
POINTS = 30000


def chunks(png: bytes) -> dict[bytes, bytes]:
    """The chunks by their names; the program writes each once."""
    found, at = {}, 8
    while at < len(png):
        (size,) = struct.unpack(">I", png[at : at + 4])
        found[png[at + 4 : at + 8]] = png[at + 8 : at + 8 + size]
        at += size + 12
    return found


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def smaller(png: bytes) -> bytes:
    parts = chunks(png)
    width, height = struct.unpack(">II", parts[b"IHDR"][:8])
    pixels = zlib.decompress(parts[b"IDAT"])
    palette: dict[bytes, int] = {}
    rows = bytearray()
    for y in range(height):
        start = y * (3 * width + 1)
        rows.append(0)  # no filter
        for x in range(start + 1, start + 1 + 3 * width, 3):
            rows.append(palette.setdefault(pixels[x : x + 3], len(palette)))
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    body = chunk(b"PLTE", b"".join(palette)) + chunk(b"IDAT", zlib.compress(bytes(rows), 9))
    return png[:8] + chunk(b"IHDR", head) + body + chunk(b"IEND", b"")


def main() -> int:
    program = Path(sys.argv[1]) if len(sys.argv) > 1 else BUILD / "default" / "lessons" / "13_point_cloud.cluster"
    SCENE.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        command = [str(program), "--n", str(POINTS), "--picture", str(Path(folder) / "scene")]
        subprocess.run(command, check=True, capture_output=True)
        for name in ("above", "ahead"):
            (SCENE / f"{name}.png").write_bytes(smaller((Path(folder) / f"scene.{name}.png").read_bytes()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
