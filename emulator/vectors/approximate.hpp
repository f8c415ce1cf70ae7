// SPDX-License-Identifier: MIT
// The approximate functions: the error PTX allows, how far the emulator and the GPU are from the
// exact value and from each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "vectors/catalogue.hpp"
#include "vectors/recording.hpp"

namespace emu::vectors {

struct Judgement {
  std::string problem;       // "" if both are within what PTX allows
  std::size_t compared = 0;  // elements with a documented error
  std::size_t equal = 0;     // of these, the same to the bit
  // The largest distances, in units of the last place: from the exact value, from each other. Of a
  // function with an absolute error (sin, cos, lg2 near 1) in units of the last place of 1.
  double emulator_ulp = 0, gpu_ulp = 0, difference_ulp = 0;
  double emulator_error = 0, gpu_error = 0;  // from the exact value, in parts of what PTX allows
};

Judgement judge(const Variant& variant, const std::vector<std::byte>& emulated,
                const std::vector<std::byte>& recorded);

// "2^-22 relative": what PTX allows.
std::string allowed_error(const Variant& variant);

// One line for each approximate function, as Markdown.
std::string error_table(const Recording& recording);

}  // namespace emu::vectors
