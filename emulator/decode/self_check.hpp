// SPDX-License-Identifier: MIT
// Has the compiler made right code of the engine? Asked once when the library is first used: a wrong
// answer must not reach a student.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "machine/warp.hpp"

namespace emu::exec {

struct SelfCheckFailure {
  std::string instruction;   // "mul.hi.s16"
  std::string how;           // "with some lanes off"
  std::uint64_t answer = 0;  // what came out of the lanes one by one, as self_check.def has it
};

// Stands in for the handler of an instruction, so that tests can see the check fail.
using Substitute = Handler (*)(const ptx::Instruction& ins, Handler handler);

// Runs the instructions of self_check.def, each of which stands for a kind of loop: lane by lane,
// with all lanes and with some, all of which must agree and give the known answer. Takes a fraction
// of a millisecond.
std::optional<SelfCheckFailure> self_check(Substitute substitute = nullptr);

// One line for the terminal: what is wrong, why, and what to do.
std::string describe(const SelfCheckFailure& failure);

}  // namespace emu::exec
