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

constexpr std::uint8_t kBehindAll = 0xff;

std::uint8_t farther_behind(const Split& s, std::uint8_t by) {
  if (s.behind == kBehindAll) return kBehindAll;
  return static_cast<std::uint8_t>(std::min<int>(s.behind + by, kBehindAll - 1));
}

// Nobody is in front of those any more that are so far behind.
void come_first(Warp& warp, std::uint8_t behind) {
  for (Split& s : warp.splits)
    if (s.behind != kBehindAll || behind == kBehindAll) s.behind -= std::min(s.behind, behind);
}

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

namespace {

// Somebody who is behind will come to a place, or waits there already.
bool is_awaited(const Warp& warp, std::uint32_t pc) {
  return std::any_of(warp.splits.begin(), warp.splits.end(), [&](const Split& s) {
    if (!may_run(s) || !s.behind) return false;
    return s.behind != kBehindAll || (s.frame == warp.frame && s.pc == pc);
  });
}

const Instr* next_meeting(const Warp& warp, const Instr* at) {
  const Frame& frame = *warp.frame;
  for (const std::uint32_t head : frame.code->spin_heads)
    if (instr_at(frame, head) >= at && is_awaited(warp, head)) return instr_at(frame, head);
  return end_of(frame);
}

// The running split waits there until all that are behind have come, or wait themselves.
void wait_for_all(Warp& warp, const Instr* at) {
  park(warp, at, warp.active);
  warp.splits.back().behind = kBehindAll;
}

}  // namespace

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

void find_stop(Warp& warp, const Instr* at) {
  const Instr* stop = end_of(*warp.frame);
  bool any_behind = false;
  for (const Split& s : warp.splits) {
    any_behind |= s.behind != 0;
    if (!may_run(s) || s.behind || s.frame != warp.frame) continue;
    stop = std::min(stop, instr_at(*s.frame, s.pc));
  }
  if (any_behind && at) stop = std::min(stop, next_meeting(warp, at));
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
    if (!best || (s.behind != best->behind ? s.behind < best->behind : lags(s, *best))) best = &s;
  }
  if (!best) return false;
  if (best->behind) come_first(warp, best->behind);
  const std::uint32_t pc = best->pc;
  Frame* const frame = best->frame;
  warp.active = 0;
  std::erase_if(warp.splits, [&](const Split& s) {
    if (!is_ready(s) || s.behind || s.pc != pc || s.frame != frame) return false;
    warp.active |= s.mask;
    return true;
  });
  enter(warp, frame);
  warp.pc = instr_at(*frame, pc);
  find_stop(warp, warp.pc + 1);
  return true;
}

const Instr* join(Warp& warp, const Instr* at) {
  const auto pc = static_cast<std::uint32_t>(at - warp.frame->code->instrs.data());
  if (at == warp.stop) {
    std::erase_if(warp.splits, [&](const Split& s) {
      if (!is_ready(s) || s.behind || s.pc != pc || s.frame != warp.frame) return false;
      warp.active |= s.mask;
      return true;
    });
    const auto& heads = warp.frame->code->spin_heads;
    if (std::binary_search(heads.begin(), heads.end(), pc) && is_awaited(warp, pc)) {
      wait_for_all(warp, at);
      return nullptr;
    }
    find_stop(warp, at + 1);
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
  const Instr* const at = std::min(target, next);
  find_stop(warp, at);
  return at;
}

const Instr* leave(Warp& warp, LaneMask leaving, const Instr* to, const Instr* stay) {
  const LaneMask staying = warp.active & ~leaving;
  const auto pc = static_cast<std::uint32_t>(to - warp.frame->code->instrs.data());
  const auto in_loop = [&](const Split& s) { return s.frame == warp.frame && s.pc < pc; };
  bool others_wait = false;  // behind the loop: they go on before those who leave now
  for (const Split& s : warp.splits) others_wait |= may_run(s) && !s.behind && !in_loop(s);
  const std::uint8_t behind = 1 + others_wait;
  for (Split& s : warp.splits)
    if (may_run(s) && (s.behind || in_loop(s))) s.behind = farther_behind(s, behind);
  if (staying) {
    park(warp, stay, staying);
    warp.splits.back().behind = behind;
  }
  warp.active = leaving;
  if (others_wait) {
    park(warp, to, leaving);
    warp.splits.back().behind = 1;
    return nullptr;
  }
  find_stop(warp, to);
  return to;
}

const Instr* go_back(Warp& warp, const Instr* to) {
  const auto pc = static_cast<std::uint32_t>(to - warp.frame->code->instrs.data());
  for (const Split& s : warp.splits) {
    if (!may_run(s) || !s.behind) continue;
    if (s.frame == warp.frame && s.pc < pc) continue;
    wait_for_all(warp, to);
    return nullptr;
  }
  find_stop(warp, to + 1);
  return to;
}

void part(Warp& warp, const Instr& in, LaneMask on) {
  park(warp, &in + 1, warp.active & ~on);
  warp.active = on;
  find_stop(warp);
}

}  // namespace emu::exec
