// SPDX-License-Identifier: MIT
// Critical sections: what a thread does between the atomic or load that got it a lock and the store that gives the lock back. Nobody else can have the lock meanwhile, so the sections of all threads come one after the other.
#pragma once

#include <span>
#include <vector>

#include "machine/observer.hpp"
#include "machine/warp.hpp"
#include "timing/critical_path.hpp"

namespace emu::observe {

// Marks the steps inside (Step::held) and those that give a lock back (Step::gives). A lock is known by its address: the
// register that names it is the same in the question that was answered last and in the store or exchange behind it.
void find_sections(const exec::Code& code, std::span<const Tally> tally, std::vector<Step>& steps);

}  // namespace emu::observe
