// SPDX-License-Identifier: MIT
// Orders of threads in files (explore/turns.hpp): one that is replayed, one that is written.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "explore/schedule.hpp"
#include "machine/kernel.hpp"

namespace emu::cudart {

// Where a schedule is to be replayed: the turns of the next launch, from its file. Returns what is
// wrong with it, as the end of a sentence.
std::string fill_in_turns(exec::Schedule& schedule, const exec::Kernel& kernel);

// Appends the turns of a launch to a file, which the first launch of the process begins anew. Empty
// if it cannot be written; errno says why.
std::function<void(const exec::Turns&)> turns_to(const std::string& path, std::uint64_t seed,
                                                 const std::string& kernel);

}  // namespace emu::cudart
