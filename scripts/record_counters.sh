#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Profiles the micro-kernels of tests/counters with Nsight Compute on this machine's GPU: what the emulator's counters are
# compared with. Needs nvcc, ncu and Python only, and about a minute.
#
#   scripts/record_counters.sh [NAME]     (NAME: of the device, default h200)
#
# Writes raw.csv, source.csv (Nsight Compute's pages; the second for reading only) and NAME.json to $OUT, or to build/counters-report where OUT is not
# set. NAME.json is what is committed as tests/counters/NAME.json.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

name=h200
case "${1:-}" in
  -h|--help) sed -n '3,9s/^# \{0,1\}//p' "$0"; exit 0 ;;
  -*) echo "record_counters: unknown option '$1'; see --help" >&2; exit 2 ;;
  ?*) name=$1 ;;
esac
if ! nvidia-smi -L 2>/dev/null | grep -q '^GPU'; then
  echo "record_counters: nvidia-smi lists no GPU" >&2
  exit 3
fi
ncu=$(command -v ncu || ls /usr/local/cuda*/bin/ncu /opt/nvidia/nsight-compute/*/ncu 2>/dev/null | tail -n 1)
if [ -z "$ncu" ]; then
  echo "record_counters: Nsight Compute (ncu) was not found" >&2
  exit 3
fi
report=${OUT:-build/counters-report}
mkdir -p "$report" build/record-counters
report=$(cd "$report" && pwd)
work=build/record-counters
tool=tests/counters/counters.py
cc=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d .)

nvcc -std=c++20 -lineinfo -gencode "arch=compute_90,code=sm_$cc" tests/counters/micro_kernels.cu -o "$work/micro" || exit 1
"$work/micro" >"$work/names.txt" || exit 1

# A name that this ncu does not know stops it: leave out what it complains about, say so, try again.
metrics=$(python3 $tool metrics)
until "$ncu" --clock-control none --force-overwrite --section SourceCounters --metrics "$metrics" \
             -o "$work/report" "$work/micro" >"$work/ncu.log" 2>&1; do
  unknown=
  for metric in ${metrics//,/ }; do
    if grep -i error "$work/ncu.log" | grep -qwF "${metric%.sum}"; then
      unknown="$unknown $metric"
    fi
  done
  if [ -z "$unknown" ]; then
    cat "$work/ncu.log"
    echo "record_counters: ncu failed" >&2
    exit 1
  fi
  for metric in $unknown; do
    echo "record_counters: this ncu does not know $metric"
    metrics=$(echo "$metrics" | tr , '\n' | grep -vxF "$metric" | paste -sd, -)
  done
done
"$ncu" --import "$work/report.ncu-rep" --page raw --csv --print-units base >"$report/raw.csv" || exit 1
"$ncu" --import "$work/report.ncu-rep" --page source --csv --print-units base >"$report/source.csv" || true
device=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -n 1)
python3 $tool convert --raw "$report/raw.csv" --names "$work/names.txt" \
        --device "$device" --ncu "$("$ncu" --version | tail -n 1)" --output "$report/$name.json"
