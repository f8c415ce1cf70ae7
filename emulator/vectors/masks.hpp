// SPDX-License-Identifier: MIT
// Every instruction of the recorded vectors that computes lanes by themselves, lane by lane against many lanes at a time: has
// the compiler made right code of all those loops?
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "ptx/table.hpp"

namespace emu::vectors {

struct MaskReport {
  std::set<ptx::Row> rows;         // that were looked at
  std::size_t instructions = 0;    // different handlers, modifiers and kinds of operands
  std::size_t compared = 0;        // registers' contents they were run on
  std::vector<std::string> wrong;  // "mul.hi.s16 %d, %a, %b; with some lanes off"
};
// `fills`: how many different contents of the registers.
MaskReport compare_masks(int fills);

// Rows that compute each lane from its registers alone: no memory, no other lanes, no place in the grid.
bool is_lanewise(ptx::Row row);

}  // namespace emu::vectors
