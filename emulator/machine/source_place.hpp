// SPDX-License-Identifier: MIT
// Where in the CUDA source an instruction comes from.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "machine/warp.hpp"

namespace emu::exec {

// "saxpy.cu:12", then one line "  inlined into ... at saxpy.cu:30" per caller; "" without line
// information.
struct SourcePlace {
  std::string where;                 // file:line
  std::vector<std::string> inlined;  // "inlined at file:line"
};
// The same as file (as the compiler was told it) and line; line 0: there is none.
struct SourceLine {
  std::string_view file;
  std::uint32_t line = 0;
};
SourceLine line_of(const Code& code, const ptx::Instruction& ins);
SourcePlace place_of(const Code& code, const ptx::Instruction& ins);
// The place as the lines of a report: "  at      saxpy.cu:12", and what was inlined where.
std::string place_lines(const Code& code, const ptx::Instruction& ins);
std::string lane_list(LaneMask mask);  // "0-15, 20"
// PTX as one line: a call is written over several.
std::string one_line(std::string_view text);

}  // namespace emu::exec
