// SPDX-License-Identifier: MIT
#pragma once

#include "machine/code.hpp"

namespace emu::check {

// Whether an access reads the same place in each round of a loop, and what it finds decides on the way: so looks who
// waits for a flag or a lock, or ends early because another one has.
bool waits_in_loop(const exec::Code& code, const exec::Instr& in);

}  // namespace emu::check
