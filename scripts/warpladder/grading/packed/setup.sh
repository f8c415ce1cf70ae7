#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Gradescope runs this once, when the autograder is built: compilers, the CUDA compiler (no driver, no GPU), the emulator.
set -euo pipefail

source_dir=${WARPLADDER_SOURCE:-/autograder/source}
course=$source_dir/course
"$course/scripts/setup_container.sh" --for grade

# Not for this machine's CPU alone: submissions are graded on others.
export PATH=$course/.toolkit/tools/cmake/bin:$course/.toolkit/tools/ninja/bin:$PATH
cmake -S "$course" -B "$course/build/default" -G Ninja -DCMAKE_BUILD_TYPE=Release -DWARPLADDER_BACKEND=emulator \
  -DWARPLADDER_EMULATOR=ON -DWARPLADDER_PROGRAMS=OFF -DBUILD_TESTING=OFF -DWARPLADDER_NATIVE=OFF
cmake --build "$course/build/default" --target emu_cudart_shared

# Only root reads the course, its rules and the seed. The user of a submission may pass to the compiler, to the emulator and to
# its own folder.
mkdir -p "$course/build/exercises" "$course/.toolkit"
chown -R root:root "$course"
chmod -R go-rwx "$course"
chmod 711 "$course" "$course/.toolkit" "$course/build" "$course/build/default" "$course/build/exercises"
chmod -R a+rX "$course/build/default/lib"
for toolkit in "$course"/.toolkit/cuda-*; do
  if [ -d "$toolkit" ]; then chmod -R a+rX "$toolkit"; fi
done
