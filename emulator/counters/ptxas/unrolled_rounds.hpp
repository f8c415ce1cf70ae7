// SPDX-License-Identifier: MIT
// Which loops the compiler behind the PTX unrolls, and how often: so many rounds are one in the machine's code.
#pragma once

#include <cstddef>
#include <cstdint>

#include "machine/code.hpp"

namespace emu::observe {

// What the compiler knows of how often a loop goes round.
enum class Rounds : std::uint8_t { Unknown, Counted, Constant };

struct Unrolled {
  Rounds known = Rounds::Unknown;
  std::size_t rounds = 1;  // that are one; more than the loop has: all of them are
};

// Of the loop from `head` to the branch at `last`.
Unrolled unrolled_rounds(const exec::Code& code, std::size_t head, std::size_t last);

}  // namespace emu::observe
