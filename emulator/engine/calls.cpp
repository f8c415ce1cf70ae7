// SPDX-License-Identifier: MIT
// Calls, returns and exits: frames come and go with the lanes that are in them.
#include <algorithm>
#include <cstring>
#include <string>

#include "control/call_site.hpp"
#include "engine/engine.hpp"
#include "machine/demangle.hpp"

namespace emu::exec {
namespace {

constexpr std::uint32_t kMostFrames = 10000;  // depth of calls
constexpr std::uint32_t kMostLocal =
    512 * 1024;  // bytes of local memory per thread, as on NVIDIA GPUs

void copy_values(LaneMask lanes, const Frame& from, Frame& to, const CallSite::Value& source,
                 std::uint32_t at) {
  const std::uint32_t from_bytes = from.code->param_bytes, to_bytes = to.code->param_bytes;
  for (LaneMask m = lanes; m; m &= m - 1) {
    const int lane = __builtin_ctz(m);
    std::memcpy(to.params.data() + lane * to_bytes + at,
                from.params.data() + lane * from_bytes + source.offset, source.size);
  }
}

const CallSite& site_of(const Frame& frame) {
  return *static_cast<const CallSite*>(frame.caller->code->instrs[frame.return_to - 1].extra);
}

}  // namespace

void Engine::reset_frame(Frame& frame, const Code& code) {
  constexpr std::size_t kAlign = 64;
  frame.code = &code;
  if (frame.registers.size() < code.frame_bytes + kAlign)
    frame.registers.resize(code.frame_bytes + kAlign);
  const auto start = reinterpret_cast<std::uintptr_t>(frame.registers.data());
  frame.base = frame.registers.data() + (kAlign - start % kAlign) % kAlign;
  std::memset(frame.base, 0, code.frame_bytes);
  frame.params.assign(std::size_t{code.param_bytes} * kLanes, std::byte{0});
  for (const auto& slot : code.local_slots) {
    const std::uint64_t address = frame.local_base + slot.offset;
    for (int lane = 0; lane < kLanes; ++lane) {
      std::memcpy(frame.base + slot.slot + lane * slot.bytes, &address, slot.bytes);
    }
  }
}

void Engine::reserve_local(Warp& warp, std::uint32_t bytes) {
  if (bytes <= warp.local_stride) return;
  const std::uint32_t stride = std::max(bytes, warp.local_stride * 2);
  std::vector<std::byte> grown(std::size_t{stride} * kLanes);
  for (int lane = 0; lane < kLanes && warp.local_stride; ++lane) {
    std::memcpy(grown.data() + std::size_t{stride} * lane,
                warp.local.data() + std::size_t{warp.local_stride} * lane, warp.local_stride);
  }
  warp.local = std::move(grown);
  warp.local_stride = stride;
}

Frame* Engine::new_frame(Warp& warp, const Code& code, Frame* caller, LaneMask lanes) {
  Frame* frame = nullptr;
  if (!free_frames_.empty()) {
    frame = free_frames_.back();
    free_frames_.pop_back();
  } else {
    frames_.push_back(std::make_unique<Frame>());
    frame = frames_.back().get();
  }
  frame->caller = caller;
  frame->lanes = lanes;
  frame->depth = caller ? caller->depth + 1 : 0;
  frame->local_base = caller ? caller->local_base + caller->code->local_bytes : 0;
  if (frame->depth > kMostFrames || frame->local_base + code.local_bytes > kMostLocal) {
    fault(FaultKind::StackOverflow, lanes ? first_lane(lanes) : -1,
          "the call stack overflows: " + std::to_string(frame->depth) + " calls deep, " +
              std::to_string(frame->local_base) + " bytes of local memory per thread");
  }
  reserve_local(warp, frame->local_base + code.local_bytes);
  reset_frame(*frame, code);
  return frame;
}

void Engine::drop_frame(Frame* frame) { free_frames_.push_back(frame); }

const Instr* Engine::call(Warp& warp, const Instr& in, LaneMask on) {
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
    callee = &image_.code(*found->function, *found->module);
    if (same != lanes) park(warp, &in, lanes & ~same);
    lanes = same;
  } else if (!callee) {
    callee = site.code = &image_.code(*site.callee, *site.module);
  }
  Frame* const frame = new_frame(warp, *callee, warp.frame, lanes);
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

const Instr* Engine::leave(Warp& warp, const Instr& in, LaneMask on) {
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
  if (frame->lanes == 0) drop_frame(frame);
  warp.active = on;
  enter(warp, caller);
  // Others of the caller may lag behind: let the scheduler look.
  park(warp, resume, on);
  return nullptr;
}

const Instr* Engine::exit_lanes(Warp& warp, const Instr& in, LaneMask on) {
  if (on == 0) return &in + 1;
  const LaneMask rest = warp.active & ~on;
  for (Frame* f = warp.frame; f;) {
    Frame* const caller = f->caller;
    f->lanes &= ~on;
    // The outermost frame belongs to the warp and is used again by its next block.
    if (f->lanes == 0 && caller) drop_frame(f);
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
