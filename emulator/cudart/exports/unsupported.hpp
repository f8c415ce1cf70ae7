// SPDX-License-Identifier: MIT
// What stands behind every exported name that the emulator does not implement. Knows no CUDA type,
// because the stubs have none.
#pragma once

#include <atomic>

namespace emu::cudart {

// Says once that `name` is not supported; returns cudaErrorNotSupported and makes it the thread's
// last error.
int unsupported(const char* name, std::atomic_flag& told);

}  // namespace emu::cudart
