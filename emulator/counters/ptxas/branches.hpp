// SPDX-License-Identifier: MIT
// What the compiler behind the PTX makes of branches and calls: over which of them it moves a load to an earlier place.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "machine/observer.hpp"
#include "machine/warp.hpp"

namespace emu::observe {

// Whether it calls a function for this one where the operands are not simple ones. What lies behind a call is not moved to
// before it.
bool calls(ptx::Row row, const ptx::Instruction& ins);
// Lanes of a warp give each other what is in their registers: memory has nothing to do with it.
bool exchanges(ptx::Row row);
// A branch between ways that are a few operations on registers: selections are made of them.
bool selects(const exec::Code& code, std::size_t branch);
// That, or a branch around a few instructions that load: they get a predicate instead, and are moved up.
bool skips_little(const exec::Code& code, std::size_t branch);
// Behind the ways of a branch around very few instructions without another branch but that of the second half of a condition
// (`a || b`): they get a predicate, whatever they are, and no lanes part. 0: it is no such branch.
std::size_t predicated_until(const exec::Code& code, std::size_t branch);
// Behind the instructions that wait for a branch's predicate instead: those, or a few that load. 0: it is no such branch.
std::size_t guarded_until(const exec::Code& code, std::size_t branch);
// How often each instruction is issued: what has a predicate instead of a branch before it is, even if no lane wants it.
std::vector<Tally> as_issued(const exec::Code& code, std::span<const Tally> tally);
// At how many of its executions lanes part, as a share.
double parting_share(const exec::Code& code, std::span<const Tally> tally, std::size_t i);

}  // namespace emu::observe
