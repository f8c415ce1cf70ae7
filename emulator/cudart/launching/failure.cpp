// SPDX-License-Identifier: MIT
#include "cudart/launching/failure.hpp"

#include "cudart/calls/errors.hpp"
#include "cudart/environment/checks.hpp"
#include "cudart/environment/say.hpp"

namespace emu::cudart {

namespace {

cudaError_t error_of(exec::FaultKind kind) {
  using enum exec::FaultKind;
  switch (kind) {
    case OutOfBounds:
    case FreedMemory:
    case HostMemory:
      return cudaErrorIllegalAddress;
    case InvalidSpace:
      return cudaErrorInvalidAddressSpace;
    case Misaligned:
      return cudaErrorMisalignedAddress;
    case Assert:
      return cudaErrorAssert;
    case Deadlock:
    case Livelock:
    case InstructionLimit:
      return cudaErrorLaunchTimeout;
    case UnknownInstruction:
      return cudaErrorNotSupported;
    case DivergentBarrier:
    case LaneNotInMask:
    case Trap:
    case StackOverflow:
    case BadOperand:
      return cudaErrorLaunchFailure;
  }
  return cudaErrorLaunchFailure;
}

}  // namespace

cudaError_t tell(const exec::KernelError& error, int device) {
  say_report(error.report);
  note_error(error);
  const cudaError_t code = error_of(error.kind);
  if (error.kind == exec::FaultKind::UnknownInstruction) {
    // Nothing has run yet, so the device is unharmed and the launch itself fails.
    raise_refused(code);
    return code;
  }
  raise_sticky(code, device);
  return cudaSuccess;
}

}  // namespace emu::cudart
