// SPDX-License-Identifier: MIT
#include "check/faults.hpp"

namespace emu::check {
namespace {

struct Sort {
  Check check;
  std::string_view id;
};

Sort sort_of(const exec::KernelError& error) {
  using enum exec::FaultKind;
  switch (error.kind) {
    case DivergentBarrier:
      return {Check::Sync, "sync-divergent-barrier"};
    case LaneNotInMask:
      return {Check::Sync, "sync-lane-not-in-mask"};
    case Deadlock:
      return {Check::Sync, "sync-deadlock"};
    case Livelock:
      return {Check::Sync, "sync-livelock"};
    case BadOperand:
      return {Check::Sync, "sync-operand"};
    case Trap:
      if (error.cause == exec::Cause::OrdinaryLaunch) return {Check::Sync, "sync-grid"};
      return {Check::Api, "kernel-trap"};
    case HostMemory:
      return {Check::Api, "memory-host"};
    case OutOfBounds:
      return {Check::Api, "memory-out-of-bounds"};
    case Misaligned:
      return {Check::Api, "memory-misaligned"};
    case FreedMemory:
      return {Check::Api, "memory-freed"};
    case InvalidSpace:
      return {Check::Api, "memory-space"};
    case Assert:
      return {Check::Api, "kernel-assert"};
    case UnknownInstruction:
    case InstructionLimit:
    case StackOverflow:
      break;
  }
  return {Check::Api, "kernel-stopped"};
}

}  // namespace

Finding finding_of(const exec::KernelError& error) {
  Finding f;
  const Sort sort = sort_of(error);
  f.check = sort.check;
  f.id = sort.id;
  f.title = error.title;
  f.kernel = error.kernel;
  f.what = error.what;
  f.cure = error.hint;
  for (const exec::Involved& i : error.involved) {
    f.parties.push_back({i.who, i.does, i.where, i.file, i.line, i.inlined});
  }
  return f;
}

}  // namespace emu::check
