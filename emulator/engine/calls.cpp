// SPDX-License-Identifier: MIT
// Calls, returns and exits: frames come and go with the lanes that are in them.
#include "engine/calls.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "control/call_site.hpp"
#include "engine/meeting.hpp"
#include "engine/splits.hpp"
#include "machine/demangle.hpp"

namespace emu::exec {
namespace {

void copy_values(LaneMask lanes, const Frame& from, Frame& to, const CallSite::Value& source,
                 std::uint32_t at) {
  const std::uint32_t from_bytes = from.code->param_bytes, to_bytes = to.code->param_bytes;
  for (LaneMask m = lanes; m; m &= m - 1) {
    const int lane = __builtin_ctz(m);
    std::memcpy(to.params.data() + lane * to_bytes + at,
                from.params.data() + lane * from_bytes + source.offset, source.size);
  }
}

// Reached through a pointer, or from a function that was: nobody could know when the kernel started.
[[noreturn]] void cannot_run(const Callee& callee, int lane, const std::string& why) {
  fault(FaultKind::BadOperand, lane,
        "a call through a pointer leads to " + demangle(callee.function->name) +
            ", which cannot run here: " + why +
            ". The kernel had begun: what it wrote before stays written");
}

const CallSite& site_of(const Frame& frame) {
  return *static_cast<const CallSite*>(frame.caller->code->instrs[frame.return_to - 1].extra);
}

}  // namespace

const Instr* Calls::call(Warp& warp, const Instr& in, LaneMask on) {
  if (on == 0) return &in + 1;
  split_off(warp, in, on);
  const auto& site = *static_cast<const CallSite*>(in.extra);
  if (site.builtin) {
    site.builtin(warp, warp.active, site.argument_offsets, site.result_offsets);
    return &in + 1;
  }
  const Code* callee = site.code;
  LaneMask lanes = warp.active;
  if (!site.callee) {
    // Lanes may call different functions: those of the first lane's go now, the others come back to
    // this instruction.
    const auto* target = warp.lanes<std::uint64_t>(in.src[0]);
    const int first = first_lane(lanes);
    LaneMask same = 0;
    for_lanes(lanes, [&](int lane) { same |= LaneMask{target[lane] == target[first]} << lane; });
    const auto* found = image_.program->impl().function_at(target[first]);
    if (!found || found->function->is_entry) {
      fault(FaultKind::BadOperand, first,
            "a call through a pointer that is not the address of a __device__ function");
    }
    if (found->function->params.size() != site.arguments.size()) {
      fault(FaultKind::BadOperand, first,
            "a call through a pointer to " + demangle(found->function->name) +
                ", which takes other parameters");
    }
    std::string why;
    callee = image_.reached(*found, why);
    if (!callee) cannot_run(*found, first, why);
    if (same != lanes) park(warp, &in, lanes & ~same);
    lanes = same;
  } else if (!callee) {
    std::string why;
    callee = site.code = image_.reached({site.callee, site.module}, why);
    if (!callee) cannot_run({site.callee, site.module}, first_lane(lanes), why);
  }
  Frame* const frame = frames_.make(warp, *callee, warp.frame, lanes);
  frame->return_to = static_cast<std::uint32_t>(&in + 1 - warp.frame->code->instrs.data());
  const auto& formals = callee->function->params;
  for (std::size_t i = 0; i < formals.size() && i < site.arguments.size(); ++i) {
    CallSite::Value value = site.arguments[i];
    value.size = std::min(value.size, formals[i].size);
    copy_values(lanes, *warp.frame, *frame, value, callee->param_at.at(formals[i].name));
  }
  warp.active = lanes;
  enter(warp, frame);
  find_stop(warp);
  return callee->instrs.data();
}

const Instr* Calls::leave(Warp& warp, const Instr& in, LaneMask on) {
  Frame* const frame = warp.frame;
  if (!frame->caller) return exit_lanes(warp, in, on);
  if (on == 0) return &in + 1;
  if (on != warp.active) park(warp, &in + 1, warp.active & ~on);
  const CallSite& site = site_of(*frame);
  const auto& formals = frame->code->function->returns;
  for (std::size_t i = 0; i < formals.size() && i < site.results.size(); ++i) {
    const CallSite::Value result{frame->code->param_at.at(formals[i].name),
                                 std::min(site.results[i].size, formals[i].size)};
    copy_values(on, *frame, *frame->caller, result, site.results[i].offset);
  }
  Frame* const caller = frame->caller;
  const Instr* const resume = caller->code->instrs.data() + frame->return_to;
  frame->lanes &= ~on;
  if (frame->lanes == 0) frames_.drop(frame);
  warp.active = on;
  enter(warp, caller);
  // Others of the caller may lag behind: let the scheduler look.
  park(warp, resume, on);
  return nullptr;
}

const Instr* Calls::exit_lanes(Warp& warp, const Instr& in, LaneMask on) {
  if (on == 0) return &in + 1;
  const LaneMask rest = warp.active & ~on;
  for (Frame* f = warp.frame; f;) {
    Frame* const caller = f->caller;
    f->lanes &= ~on;
    // The outermost frame belongs to the warp and is used again by its next block.
    if (f->lanes == 0 && caller) frames_.drop(f);
    f = caller;
  }
  warp.live &= ~on;
  warp.active = rest;
  lanes_gone(warp);
  if (rest == 0) return nullptr;
  find_stop(warp);
  return &in + 1;
}

}  // namespace emu::exec
