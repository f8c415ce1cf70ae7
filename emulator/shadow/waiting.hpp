// SPDX-License-Identifier: MIT
#pragma once

#include "machine/code.hpp"

namespace emu::check {

// Whether an access looks at a place that its function reads in each round of a loop, where what is found decides on
// the way: so looks who waits for a flag or a lock, or ends early because another one has. The first look may be in
// front of the loop.
bool waits(const exec::Code& code, const exec::Instr& in);

}  // namespace emu::check
