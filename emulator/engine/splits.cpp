// SPDX-License-Identifier: MIT
#include "engine/splits.hpp"

namespace emu::exec {
namespace {

const Instr* instr_at(const Frame& frame, std::uint32_t pc) {
  return frame.code->instrs.data() + pc;
}

// Behind the last instruction: never reached, every path ends in a return.
const Instr* end_of(const Frame& frame) {
  return frame.code->instrs.data() + frame.code->instrs.size();
}

bool may_run(const Split& s) { return is_ready(s) && !s.yielded; }

}  // namespace

bool lags(const Split& a, const Split& b) {
  const Frame *fa = a.frame, *fb = b.frame;
  std::uint32_t pa = a.pc, pb = b.pc;
  while (fa != fb) {
    if (fa->depth >= fb->depth) {
      pa = fa->return_to - 1;
      fa = fa->caller;
    } else {
      pb = fb->return_to - 1;
      fb = fb->caller;
    }
  }
  return pa != pb ? pa < pb : first_lane(a.mask) < first_lane(b.mask);
}

void enter(Warp& warp, Frame* frame) {
  warp.frame = frame;
  warp.areas[static_cast<std::size_t>(Area::Frame)] = frame->base;
  warp.areas[static_cast<std::size_t>(Area::Constant)] =
      const_cast<std::byte*>(frame->code->constants.data());
}

void park(Warp& warp, const Instr* at, LaneMask mask, Split::State state) {
  // Made in its place: a copy would wait until its small parts had come to memory.
  Split& split = warp.splits.emplace_back();
  split.pc = static_cast<std::uint32_t>(at - warp.frame->code->instrs.data());
  split.mask = mask;
  split.frame = warp.frame;
  split.state = state;
}

void find_stop(Warp& warp) {
  const Instr* stop = end_of(*warp.frame);
  for (const Split& s : warp.splits) {
    if (!may_run(s) || s.frame != warp.frame) continue;
    stop = std::min(stop, instr_at(*s.frame, s.pc));
  }
  warp.stop = stop;
}

bool select(Warp& warp) {
  // Nearly always: one split, so that there is nobody to compare it with, and nobody to meet.
  if (warp.splits.size() == 1) {
    const Split& only = warp.splits.front();
    if (!may_run(only)) return false;
    warp.active = only.mask;
    enter(warp, only.frame);
    warp.pc = instr_at(*only.frame, only.pc);
    warp.stop = end_of(*only.frame);
    warp.splits.clear();
    return true;
  }
  Split* best = nullptr;
  for (Split& s : warp.splits) {
    if (!may_run(s)) continue;
    if (!best || lags(s, *best)) best = &s;
  }
  if (!best) return false;
  const std::uint32_t pc = best->pc;
  Frame* const frame = best->frame;
  warp.active = 0;
  std::erase_if(warp.splits, [&](const Split& s) {
    if (s.state != Split::State::Ready || s.pc != pc || s.frame != frame) return false;
    warp.active |= s.mask;
    return true;
  });
  enter(warp, frame);
  warp.pc = instr_at(*frame, pc);
  find_stop(warp);
  return true;
}

const Instr* join(Warp& warp, const Instr* at) {
  const auto pc = static_cast<std::uint32_t>(at - warp.frame->code->instrs.data());
  if (at == warp.stop) {
    std::erase_if(warp.splits, [&](const Split& s) {
      if (s.state != Split::State::Ready || s.pc != pc || s.frame != warp.frame) return false;
      warp.active |= s.mask;
      return true;
    });
    find_stop(warp);
    return at;
  }
  park(warp, at, warp.active);
  return nullptr;
}

const Instr* diverge(Warp& warp, LaneMask taken, const Instr* target, const Instr* next) {
  const LaneMask rest = warp.active & ~taken;
  if (target < next) {
    park(warp, next, rest);
    warp.active = taken;
  } else {
    park(warp, target, taken);
    warp.active = rest;
  }
  find_stop(warp);
  return std::min(target, next);
}

void part(Warp& warp, const Instr& in, LaneMask on) {
  park(warp, &in + 1, warp.active & ~on);
  warp.active = on;
  find_stop(warp);
}

}  // namespace emu::exec
