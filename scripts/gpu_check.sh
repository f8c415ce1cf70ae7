#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs every program of tests/programs on this machine's GPU and compares its output with the .expected file that the emulator
# must match too. Needs CMake, Ninja, nvcc and Python only, and no network. Where CMAKE_INCLUDE_PATH or the system has CLI11,
# nlohmann-json and Catch2, the lessons' own tests run as well.
#
#   scripts/gpu_check.sh [--sanitizer] [-R REGEX]
#
# Writes summary.txt, ctest.xml and the logs to $OUT, or to build/gpu-report where OUT is not set.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

sanitizer=no
filter=.
while [ $# -gt 0 ]; do
  case "$1" in
    --sanitizer) sanitizer=yes ;;
    -R) filter=${2:?gpu_check: -R needs a regular expression}; shift ;;
    -h|--help) sed -n '3,8s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "gpu_check: unknown option '$1'; see --help" >&2; exit 2 ;;
  esac
  shift
done

if ! nvidia-smi -L 2>/dev/null | grep -q '^GPU'; then
  echo "gpu_check: nvidia-smi lists no GPU" >&2
  exit 3
fi
report=${OUT:-build/gpu-report}
mkdir -p "$report"
report=$(cd "$report" && pwd)
build=build/gpu-check
jobs=$(nproc)

fail() {
  tail -n 40 "$2"
  echo "gpu_check: $1 failed" | tee "$report/summary.txt"
  exit 1
}
cmake --preset gpu -B "$build" -DWARPLADDER_EMULATOR=OFF >"$report/configure.log" 2>&1 ||
  fail configuring "$report/configure.log"
cmake --build "$build" -j "$jobs" >"$report/build.log" 2>&1 || fail building "$report/build.log"

# One program at a time: they share the GPU, and some of them fill it.
run_tests() {
  ctest --test-dir "$build" -L gpu -R "$filter" --no-tests=error --output-on-failure \
        --output-junit "$report/$1.xml" >"$report/$1.log" 2>&1
  local status=$?
  echo "== $1" >>"$report/summary.txt"
  grep -E 'Passed|Failed|Skipped|Timeout|\*\*\*|^FAIL |tests passed|No tests' "$report/$1.log" >>"$report/summary.txt"
  return $status
}

{
  nvidia-smi --query-gpu=name,driver_version,compute_cap --format=csv,noheader
  nvcc --version | grep release
} >"$report/summary.txt"
status=0
run_tests ctest || status=1
if [ "$sanitizer" = yes ]; then
  # Errors that a program provokes and handles itself are not defects of the program.
  findings=$PWD/$build/sanitizer
  rm -rf "$findings" && mkdir -p "$findings"
  export PROGRAM_WRAPPER="compute-sanitizer --report-api-errors no --error-exitcode 99 --log-file $findings/%p.txt"
  run_tests sanitizer || status=1
  grep -L 'ERROR SUMMARY: 0 errors' "$findings"/*.txt | xargs -r cat >"$report/sanitizer.txt"
fi
cat "$report/summary.txt"
exit $status
