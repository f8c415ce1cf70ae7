// SPDX-License-Identifier: MIT
// The checks that the environment asks for: WARPLADDER_CHECK names them (race, init, sync, api, leak; 1: all),
// WARPLADDER_CHECK_TO a file for what they found, as JSON or, if it ends in .sarif, as SARIF.
#pragma once

#include <cuda_runtime_api.h>

#include "check/check.hpp"
#include "machine/fault.hpp"

namespace emu::cudart {

// The exit code of a program that ended well, but in which the checks found an error.
inline constexpr int kFoundExit = 4;

// If a variable is wrong it says so in one line, and returns the error that every call shall give.
cudaError_t start_checks(int device_count);
const check::Wanted& wanted_checks();
// Looks when the program has ended, with which status, for what only then can be told. Once per function.
using LastLook = void (*)(check::Findings& findings, int status);
void look_at_end(LastLook look);
void add_finding(check::Finding finding);
// An error that stopped a kernel, which was told already.
void note_error(const exec::KernelError& error);
check::Orders* race_orders();      // nullptr: races are not looked for
check::Checker* launch_checker();  // nullptr: no check concerns launches

}  // namespace emu::cudart
