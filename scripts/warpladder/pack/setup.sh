#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Gradescope runs this once, when the autograder is built: compilers, the CUDA compiler (no driver, no GPU), the emulator.
set -euo pipefail

source_dir=${WARPLADDER_SOURCE:-/autograder/source}
course=$source_dir/course
export DEBIAN_FRONTEND=noninteractive

if ! command -v nvcc >/dev/null && [ ! -x /usr/local/cuda/bin/nvcc ]; then
  apt-get -q update
  apt-get -q install -y --no-install-recommends ca-certificates wget
  . /etc/os-release
  arch=$(uname -m)
  if [ "$arch" = aarch64 ]; then arch=sbsa; fi
  repository=https://developer.download.nvidia.com/compute/cuda/repos/${ID}${VERSION_ID//./}/$arch
  wget -q "$repository/cuda-keyring_1.1-1_all.deb" -O /tmp/cuda-keyring.deb
  dpkg -i /tmp/cuda-keyring.deb
  apt-get -q update
  apt-get -q install -y --no-install-recommends cuda-nvcc-13-0 cuda-cudart-dev-13-0 cuda-cccl-13-0
fi
export PATH=/usr/local/cuda/bin:$PATH

if ! command -v ninja >/dev/null || ! command -v g++ >/dev/null || [ ! -e /usr/include/zstd.h ]; then
  apt-get -q update
  apt-get -q install -y --no-install-recommends g++ ninja-build libzstd-dev catch2 python3 python3-pip python3-venv util-linux
fi
# Ubuntu 22.04 has an older CMake than the build needs.
if ! cmake --version 2>/dev/null | awk 'NR == 1 { split($3, v, "."); exit !(v[1] > 3 || v[2] >= 25) }'; then
  python3 -m venv "$course/.venv"
  "$course/.venv/bin/pip" install -q "cmake>=3.25,<4"
  export PATH=$course/.venv/bin:$PATH
fi

# Not for this machine's CPU alone: submissions are graded on others.
cmake -S "$course" -B "$course/build/default" -G Ninja -DCMAKE_BUILD_TYPE=Release -DWARPLADDER_BACKEND=emulator \
  -DWARPLADDER_EMULATOR=ON -DWARPLADDER_PROGRAMS=OFF -DBUILD_TESTING=OFF -DWARPLADDER_NATIVE=OFF
cmake --build "$course/build/default" --target emu_cudart_shared

# Only root reads the course, its rules and the seed. The user of a submission may pass to the emulator and to its own folder.
mkdir -p "$course/build/exercises"
chown -R root:root "$course"
chmod -R go-rwx "$course"
chmod 711 "$course" "$course/build" "$course/build/default" "$course/build/exercises"
chmod -R a+rX "$course/build/default/lib"
