// SPDX-License-Identifier: MIT
// Where each register of a function lives in its frame.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/control_flow.hpp"

namespace emu::exec {

// Where each register lives, in bytes from the start of the frame, so that registers that are never
// alive together share a place.
struct Slots {
  std::vector<std::uint32_t> offset;  // by register; kNoIndex: never used
  std::uint32_t bytes = 0;
};
// `first_free`: bytes at the start of the frame that are taken.
Slots allocate_slots(const ptx::Function& function, const FlowGraph& graph,
                     std::uint32_t first_free);

// How often each register is written in the text.
std::vector<std::uint32_t> count_definitions(const ptx::Function& function);

// Bytes of a register in a frame: 32 lanes, or one word for a predicate.
std::uint32_t frame_bytes_of(ptx::Type type);

}  // namespace emu::exec
