// SPDX-License-Identifier: MIT
// The file of recorded results: which device they come from and, for each kernel, its output or why
// there is none. Plain standard library: the recorder on the GPU writes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace emu::vectors {

struct Recorded {
  std::vector<std::byte> output;
  std::string problem;  // the compiler's or the driver's words, if it could not be run
};

struct Recording {
  std::string device;                           // "NVIDIA H200, driver 580.1, 2026-11-15"
  std::map<std::uint64_t, Recorded> by_kernel;  // Variant::fingerprint()
};

std::string to_bytes(const Recording& recording);
Recording from_bytes(std::string_view bytes);  // throws std::runtime_error

}  // namespace emu::vectors
