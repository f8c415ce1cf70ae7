// SPDX-License-Identifier: MIT
// What can go wrong inside a kernel. A handler throws Fault with the lane; the engine adds kernel,
// block, thread and source line.
#pragma once

#include <cstdint>
#include <string>

namespace emu::exec {

enum class FaultKind : std::uint8_t {
  OutOfBounds,         // cudaErrorIllegalAddress
  Misaligned,          // cudaErrorMisalignedAddress
  FreedMemory,         // cudaErrorIllegalAddress
  HostMemory,          // cudaErrorIllegalAddress
  InvalidSpace,        // cudaErrorInvalidAddressSpace / IllegalAddress
  DivergentBarrier,    // cudaErrorLaunchFailure
  LaneNotInMask,       // cudaErrorLaunchFailure (UB on hardware)
  Trap,                // cudaErrorLaunchFailure
  Assert,              // cudaErrorAssert
  UnknownInstruction,  // cudaErrorInvalidPtx / NotSupported
  Deadlock,            // cudaErrorLaunchTimeout
  Livelock,            // cudaErrorLaunchTimeout
  InstructionLimit,    // cudaErrorLaunchTimeout
  StackOverflow,       // cudaErrorLaunchFailure
  BadOperand,          // cudaErrorLaunchFailure: barrier id 17, shfl with a bad mask, call of a
                       // non-function
};

// What is likely wrong, if more is known than the kind says.
enum class Cause : std::uint8_t {
  Unknown,
  NullPointer,
  UnsetPointer,     // it leads nowhere
  WildPointer,      // far from all memory
  BeforeStart,      // before the start of an allocation or of shared memory
  NoDynamicShared,  // the block has no shared memory at all
  SharedArray,      // past the end of shared memory
  LocalArray,
};

struct Fault {
  FaultKind kind;
  int lane = -1;        // lane it happened to; -1: the whole warp
  std::string message;  // one line, no position
  Cause cause = Cause::Unknown;
};

// A Fault with everything a student needs. Thrown out of launch().
struct KernelError {
  FaultKind kind = FaultKind::Trap;
  std::string report;  // several lines, ready for stderr
  std::string why{};   // of what cannot be decoded: one sentence
};

}  // namespace emu::exec
