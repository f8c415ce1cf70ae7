# SPDX-License-Identifier: MIT
"""What CMake asks about this machine, in lines KEY=VALUE: it and `./course` choose the same nvcc and the same GPU."""

from __future__ import annotations

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from warpladder.setup import machine  # noqa: E402

print(f"nvcc={machine.find_nvcc() or ''}")
print(f"no_nvcc={'' if machine.find_nvcc() else machine.no_nvcc()}")
print(f"gpu_capability={machine.gpu_capability()}")
print(f"gpu_problem={machine.gpu_problem()}")
