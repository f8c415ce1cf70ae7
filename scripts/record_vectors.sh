#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the kernels of emulator/vectors on this machine's GPU and writes their results, for
# `emulator_vectors pack` to compress into emulator/vectors/testdata. Needs nvcc's headers and a C++20 compiler only.
#
#   scripts/record_vectors.sh [--build-only]
#
# Writes vectors.raw and record.log to $OUT, or to build/vectors where OUT is not set.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

case "${1:-}" in
  ''|--build-only) ;;
  -h|--help) sed -n '3,9s/^# \{0,1\}//p' "$0"; exit 0 ;;
  *) echo "record_vectors: unknown option '$1'; see --help" >&2; exit 2 ;;
esac
out=${OUT:-build/vectors}
mkdir -p "$out" build/vectors
cuda=$(dirname "$(dirname "$(readlink -f "$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)")")")
stub=$(find -L "$cuda" -path '*/stubs/libcuda.so' 2>/dev/null | head -n 1)
if [ -z "$stub" ] || [ ! -e "$(find -L "$cuda" -name cuda.h 2>/dev/null | head -n 1)" ]; then
  echo "record_vectors: cuda.h or the stub libcuda.so was not found under $cuda" >&2
  exit 3
fi
include=$(dirname "$(find -L "$cuda" -name cuda.h | head -n 1)")

objects=()
for source in emulator/vectors/{values,recording,main_record,catalogue*}.cpp; do
  object=build/vectors/$(basename "${source%.cpp}").o
  "${CXX:-g++}" -std=c++20 -O1 -ffp-contract=off -Iemulator -isystem "$include" -c "$source" -o "$object" &
  objects+=("$object")
done
wait
"${CXX:-g++}" "${objects[@]}" -L"$(dirname "$stub")" -lcuda -o build/vectors/record_vectors
[ "${1:-}" = --build-only ] && exit 0
time build/vectors/record_vectors "$out/vectors.raw" 2>&1 | tee "$out/record.log"
