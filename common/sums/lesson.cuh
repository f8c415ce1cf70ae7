// SPDX-License-Identifier: MIT
// The program every lesson is: read the options, verify each rung, time it, verify what the timed
// run gave, print the table, write the JSON. A lesson's main.cu only names its rungs.
#pragma once

#include "common/sums/rung.cuh"

namespace course {

// The whole program; program.hpp says what its exit codes mean.
int run_lesson(const Lesson& lesson, int argc, const char* const* argv);

}  // namespace course
