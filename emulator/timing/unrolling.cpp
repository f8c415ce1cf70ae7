// SPDX-License-Identifier: MIT
#include "timing/unrolling.hpp"

#include <algorithm>
#include <cmath>

#include "counters/ptxas/branches.hpp"
#include "counters/ptxas/instruction_kinds.hpp"
#include "counters/ptxas/unrolled_rounds.hpp"

namespace emu::observe {

using exec::Instr;
using ptx::Instruction;
using ptx::Row;

namespace {

std::size_t registers_loaded(const Instruction& load) {
  constexpr std::size_t kRegister = 4;
  const std::size_t values = std::max<std::size_t>(1, load.operands[0].parts.size());
  return std::max(values, values * ptx::size_of(load.type()) / kRegister);
}

}  // namespace

void find_unrolling(const exec::Code& code, std::size_t head, Loop& loop) {
  const std::size_t last = loop.end - 1;
  if (loop.waits) return;
  const Unrolled made = unrolled_rounds(code, head, last);
  if (made.rounds == 1) return;
  std::size_t words = 0;                 // that are loaded
  bool stores = false, checked = false;  // to global memory; loads that a store may change
  bool apart = false;                    // what stays in its place, and all else on its side of it
  for (std::size_t i = head; i < last; ++i) {
    const Instr& in = code.instrs[i];
    if (!in.source) continue;
    const ptx::Others others = ptx::info(in.row).others;
    const bool shared = in_space(*in.source, "shared");
    apart |= others == ptx::Others::Atomic || calls(in.row, *in.source);
    if (others == ptx::Others::Load && in.row == Row::ld) {
      words += registers_loaded(*in.source);
      checked |= !shared && !in.source->has("nc");
    } else if (others == ptx::Others::Store || others == ptx::Others::Atomic) {
      stores |= !shared;
    } else if (others != ptx::Others::Own) {
      return;
    }
  }
  // As many as leave room in the registers for what is loaded; where the compiler makes one of four whatever they load, as many
  // of those are asked for at once.
  const double unrolled = static_cast<double>(made.rounds);
  constexpr double kWordsTogether = 24, kFewTogether = 2.0 / 3;
  const double room = words ? kWordsTogether / static_cast<double>(words) : kWordsTogether;
  switch (made.known) {
    case Rounds::Unknown:
      return;
    case Rounds::Counted:
      loop.unrolled = std::min(unrolled, loop.trips);
      loop.rounds_in_one =
          std::min(loop.trips / rounds_of_four(loop.trips, loop.even),
                   room < unrolled ? std::max(1.0, room * kFewTogether) : unrolled);
      break;
    case Rounds::Constant:
      loop.unrolled = std::min(unrolled, loop.trips);
      loop.rounds_in_one = std::min(std::max(1.0, room), loop.unrolled);
  }
  loop.overlaps = !apart && !(stores && checked);
}

double rounds_of_four(double trips, bool even) {
  const auto of = [&](double whole) {
    const auto n = static_cast<std::uint64_t>(whole);
    const std::uint64_t left = n % 4, left_to_others = even || n < 2 ? left : (n - 1) % 4,
                        either = left | left_to_others;
    return static_cast<double>(n / 4 + (either >> 1) + (either & 1));
  };
  const double less = std::floor(std::max(1.0, trips)), share = std::max(1.0, trips) - less;
  return (1 - share) * of(less) + share * of(less + 1);
}

}  // namespace emu::observe
