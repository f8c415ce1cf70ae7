// SPDX-License-Identifier: MIT
// What the compiler behind the PTX makes of loops: several rounds in one, so that their loads are on their way together.
#pragma once

#include "timing/loops.hpp"

namespace emu::observe {

// Whether the compiler unrolls the loop, and what it can do at once then.
void find_unrolling(const exec::Code& code, std::size_t head, Loop& loop);
// Of a loop that goes round `trips` times and of which the compiler has made one with four rounds in one: how many of those
// there are, with the two and the one that are left. Lanes that go round once more than others have other rounds left.
double rounds_of_four(double trips, bool even);

}  // namespace emu::observe
