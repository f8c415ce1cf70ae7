// SPDX-License-Identifier: MIT
// How much memory this machine can still give. The pages of an allocation are taken when they are
// first touched (MAP_NORESERVE), and too late for an error then: the system ends the process.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <filesystem>
#include <limits>
#include <optional>

namespace emu::cudart {

inline constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

// What the machine has free, or the control groups of this process allow if that is less. kNoLimit
// where the system does not tell. `root` is where proc/ and sys/ are, for tests.
std::size_t host_memory_left(const std::filesystem::path& root = "/");

// cudaErrorMemoryAllocation and a line if the host cannot give `size` bytes more. `lazy` bytes are
// allocated already and may not have been touched yet.
cudaError_t check_host_memory(std::size_t size, std::size_t lazy, const char* api);

// For tests: what host_memory_left() is taken to be from now on; none: the truth again.
void pretend_host_memory(std::optional<std::size_t> bytes);

}  // namespace emu::cudart
