// SPDX-License-Identifier: MIT
// What every program of the course does around its work: it finds the device, tries the file that the
// results go to before the work and not after it, writes it, and turns what is thrown into one line.
//
// Exit codes: 0 all right, 1 a wrong result or a failed CUDA call, 2 wrong options, 3 no GPU and no
// emulator.
#pragma once

#include <string>

#include "common/device.cuh"
#include "common/function_ref.hpp"

namespace course {

// What came out of the work: whether all results were right, and the document for --json.
struct Worked {
  bool ok = false;
  std::string document;
};

// `json`: the file to write; empty: none. Returns the exit code.
int run_program(const std::string& name, const std::string& json,
                FunctionRef<Worked(const Device&)> work);

}  // namespace course
