// SPDX-License-Identifier: MIT
#include "explore/visibility.hpp"

#include "access/access.hpp"
#include "control/call_site.hpp"

namespace emu::exec {
namespace {

Step step_of_access(const Instr& in) {
  const auto& spec = *static_cast<const MemorySpec*>(in.extra);
  if (spec.constant || in.source->has("nc")) return Step::Own;
  switch (spec.where.space) {
    case ptx::Space::Generic:
      return Step::Generic;
    case ptx::Space::Local:
    case ptx::Space::Param:
      return Step::Own;
    default:
      return Step::Memory;
  }
}

Step step_of(const Instr& in) {
  if (!in.source) return Step::Own;
  using ptx::Others;
  switch (ptx::info(in.row).others) {
    case Others::Own:
      return Step::Own;
    case Others::Load:
    case Others::Store:
    case Others::Atomic:
      return step_of_access(in);
    case Others::Memory:
    case Others::Bulk:
    case Others::Arrive:
    case Others::Wait:
      return Step::Memory;
    case Others::Fence:
    case Others::ProxyFence:
      return Step::Fence;
    case Others::Sleep:
      return Step::Sleep;
    case Others::Mask:
      return Step::Mask;
    case Others::Call: {
      const auto* site = static_cast<const CallSite*>(in.extra);
      return site && site->builtin ? Step::Call : Step::Own;
    }
  }
  return Step::Own;
}

}  // namespace

const std::uint8_t* steps_of(const Code& code) {
  if (code.steps.size() != code.instrs.size()) {
    code.steps.clear();
    for (const Instr& in : code.instrs) {
      code.steps.push_back(static_cast<std::uint8_t>(step_of(in)));
    }
  }
  return code.steps.data();
}

bool others_see(const Warp& warp, const Instr& in, Step step, LaneMask on) {
  if (step != Step::Generic) return step != Step::Own;
  std::uint64_t addresses[kLanes];
  effective(warp, static_cast<const MemorySpec*>(in.extra)->where, on, addresses);
  for (LaneMask m = on; m; m &= m - 1) {
    const std::uint64_t window = addresses[first_lane(m)] & memory::kWindowMask;
    if (window != memory::kLocalWindow && window != memory::kParamWindow) return true;
  }
  return false;
}

}  // namespace emu::exec
