// SPDX-License-Identifier: MIT
// Wrong: numbers begin with 0, as elements do.
#pragma once

#include <cstddef>

__device__ unsigned thread_number() { return blockIdx.x * blockDim.x + threadIdx.x + 1; }
