// SPDX-License-Identifier: MIT
// What of an execution other threads can see: where an interleaving may pass from one thread to another,
// and what a trace tells.
#pragma once

#include <cstdint>

#include "machine/warp.hpp"

namespace emu::exec {

// What an instruction is to other threads.
enum class Step : std::uint8_t {
  Own,      // they cannot see it
  Memory,   // global or shared memory: load, store, atomic, mbarrier, asynchronous copy
  Generic,  // ... if the address is not that of local memory or parameters
  Fence,
  Sleep,
  Mask,  // reads which lanes run together
  Call,  // printf, malloc and other functions of the emulator
};

// Of all instructions of a function, in order.
const std::uint8_t* steps_of(const Code& code);
// Whether others see this one, with the addresses that the lanes have now.
bool others_see(const Warp& warp, const Instr& in, Step step, LaneMask on);

}  // namespace emu::exec
