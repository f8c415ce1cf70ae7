// SPDX-License-Identifier: MIT
// The words of a trace: operations, addresses and values as a reader wants them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "access/access.hpp"
#include "machine/observer.hpp"

namespace emu::observe {

// A number of a type, as it lies in memory.
std::string value_text(const std::byte* at, std::uint32_t bytes, ptx::Type type);
std::string trace_kernel(const exec::Grid& grid);
// "load acquire.gpu", "cas relaxed.gpu", "fence acq_rel.gpu", "barrier".
std::string trace_operation(const exec::Instr& in);
// "alloc2+16" (the 2nd cudaMalloc of the program), "counter", "shared+4".
std::string trace_address(const exec::Warp& warp, const exec::MemorySpec& spec, int lane);
// What a lane has read and written: `before` is a copy of the memory, `at` the memory now.
std::string trace_values(const exec::Warp& warp, const exec::Instr& in, int lane,
                         const std::byte* before, const std::byte* at);
std::string trace_event_value(const exec::Warp& warp, const exec::Instr& in, LaneMask lanes);

}  // namespace emu::observe
