// SPDX-License-Identifier: MIT
// What can go wrong inside a kernel. A handler throws Fault with the lane; the engine adds kernel,
// block, thread and source line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

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
  OrdinaryLaunch,  // the barrier of the grid in a launch that is not cooperative
};

struct Fault {
  FaultKind kind;
  int lane = -1;        // lane it happened to; -1: the whole warp
  std::string message;  // one line, no position
  Cause cause = Cause::Unknown;
};

// A thread or some lanes that an error is about, and where they stand.
struct Involved {
  std::string who,
      does;  // "lanes 0-15 of warp 0 of block (0,0,0)", "wait for lanes 16-31, which their mask names"
  std::string where;  // "file.cu:12", "PTX line 30" or ""
  std::string file;   // as the compiler was told it
  std::uint32_t line = 0;
  std::vector<std::string> inlined{};
};

// A Fault with everything a student needs. Thrown out of launch().
struct KernelError {
  FaultKind kind = FaultKind::Trap;
  std::string report;  // several lines, ready for stderr
  std::string why{};   // of what cannot be decoded: one sentence
  // The parts of the report, for those who tell it otherwise.
  std::string title{}, kernel{}, what{}, hint{};
  std::vector<Involved> involved{};
  Cause cause = Cause::Unknown;
};

}  // namespace emu::exec
