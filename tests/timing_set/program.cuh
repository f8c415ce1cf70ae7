// SPDX-License-Identifier: MIT
// A program of kernels: checks and times them, on a GPU or on the emulator, and writes JSON (scripts/timing_set.py).
//
//   timing_set [--quick] [--once] [--kernel ID]... [--json FILE]
//     with a cold cache only, --quick: the smallest size of each, --once: the second
//   timing_set --profile [...]     each case launched once, for Nsight Compute
//   timing_set --list              family, kernel, sizes
#pragma once

#include "set.cuh"

namespace timing_set {

int program(const std::vector<Kernel>& kernels, int argc, char** argv);

// Adds the kernels of a family, by the function that its file has for it.
#define TIMING_SET_FAMILY(name)          \
  {                                      \
    timing_set::Set set(#name, kernels); \
    timing_set::add_##name(set);         \
  }

}  // namespace timing_set
