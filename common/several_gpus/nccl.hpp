// SPDX-License-Identifier: MIT
// NCCL, NVIDIA's library for several GPUs, beside our all-reduce: where CMake has found it, and on a real GPU (it drives
// the device itself, which the emulator does not play).
#pragma once

#include "common/several_gpus/all_reduce.hpp"

namespace course {

// Why there is no NCCL for this task, in words; null: there is.
const char* no_nccl(const AllReduce& task);
CubCall nccl_all_reduce(const AllReduce& task);

}  // namespace course
