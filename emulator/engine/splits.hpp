// SPDX-License-Identifier: MIT
// The splits of a warp: lanes with one program counter, one of which runs. The split with the lowest
// program counter is the one that lags and runs first (analysis/control_flow.hpp says why lanes then meet
// again where they should).
#pragma once

#include <algorithm>

#include "machine/warp.hpp"

namespace emu::exec {

inline bool is_ready(const Split& s) { return s.state == Split::State::Ready; }
// Whether a runs before b: the one that lags, seen from the innermost function both are in.
bool lags(const Split& a, const Split& b);
inline bool has_ready(const Warp& warp) {
  // Nearly always there is one split: std::any_of() would look at four at a time first.
  for (const Split& s : warp.splits) {
    if (is_ready(s)) return true;
  }
  return false;
}

// The running split's registers are those of this frame from now on.
void enter(Warp& warp, Frame* frame);
// Lanes of the running split's frame wait at a place, or stand there ready to run.
void park(Warp& warp, const Instr* at, LaneMask mask, Split::State state = Split::State::Ready);
// Finds the lowest place where a ready split of the running one's frame waits that is not behind; or, from `at` on, where a loop
// begins that might never end: there those that are behind are waited for.
void find_stop(Warp& warp, const Instr* at = nullptr);
// Makes the split that lags most the running one, with all that stand where it stands; those that are behind only if there are no
// others. False: none is ready.
bool select(Warp& warp);

// These return where the running split goes on; nullptr: it does not, others must be looked at.
//
// It has come to, or gone past, a place where another one waits.
const Instr* join(Warp& warp, const Instr* at);
// The lanes `taken` go to `target`, the others to `next`.
const Instr* diverge(Warp& warp, LaneMask taken, const Instr* target, const Instr* next);
// Lanes that leave a loop for good (analysis/spin_exits.hpp) go on, those who stay in it are behind. Those who wait behind the loop
// are not joined: they go on before. All meet again at the next such loop, or at the beginning of the next round of one around it.
const Instr* leave(Warp& warp, LaneMask leaving, const Instr* to, const Instr* stay);
// The running split goes back to an earlier place: those that are behind it come first, until they stand there too.
const Instr* go_back(Warp& warp, const Instr* to);

// Lanes whose guard is off pass by; the others go on to `in`. Returns those that do.
void part(Warp& warp, const Instr& in, LaneMask on);  // some of them are
inline LaneMask split_off(Warp& warp, const Instr& in, LaneMask on) {
  if (on != warp.active) [[unlikely]]
    part(warp, in, on);
  return on;
}

}  // namespace emu::exec
