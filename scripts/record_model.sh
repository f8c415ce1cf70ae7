#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Times on this machine's GPU what the emulator's timing model is calibrated with and judged on. Needs nvcc, CMake, Ninja and
# Python only, and about five minutes, most of them for building the lessons.
#
#   scripts/record_model.sh [--no-rungs]
#
# Writes micro.json (micro-kernels: calibration), probe.json (kernels that are only judged) and rungs.json (`./course model
# --record`) to $OUT, or to build/model-report where OUT is not set. They are committed as results/h200/*.json.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

rungs=yes
case "${1:-}" in
  -h|--help) sed -n '3,9s/^# \{0,1\}//p' "$0"; exit 0 ;;
  --no-rungs) rungs= ;;
  ?*) echo "record_model: unknown option '$1'; see --help" >&2; exit 2 ;;
esac
if ! nvidia-smi -L 2>/dev/null | grep -q '^GPU'; then
  echo "record_model: nvidia-smi lists no GPU" >&2
  exit 3
fi
report=${OUT:-build/model-report}
mkdir -p "$report" build/record-model
report=$(cd "$report" && pwd)
cc=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d .)
status=0

for program in micro probe; do
  nvcc -std=c++20 -O3 -lineinfo -DMODEL_LIBRARY -I. -gencode "arch=compute_90,code=sm_$cc" "tests/model/$program.cu" \
       common/library/{timing,flushing,device}.cpp common/library/reading.cu -o "build/record-model/$program" || exit 1
done
for program in micro probe; do
  # MODEL_VERBOSE: each row also to a log, so that what was found before a failure can be seen.
  if MODEL_VERBOSE=1 "build/record-model/$program" "$report/$program.json" 2>"build/record-model/$program.log"; then
    echo "$program: $(grep -c '"id"' "$report/$program.json") rows"
  else
    echo "record_model: $program failed: $(tail -n 2 "build/record-model/$program.log")" >&2
    cp "build/record-model/$program.log" "$report/$program.json"
    status=1
  fi
done

if [ -n "$rungs" ]; then
  ./course model --record --preset gpu || status=1
  cp results/h200/rungs.json "$report/rungs.json"
fi
exit $status
