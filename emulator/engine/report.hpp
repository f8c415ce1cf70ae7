// SPDX-License-Identifier: MIT
// Turns what went wrong into a text a student can act on: kernel, block, thread, source line, and
// what to look at.
#pragma once

#include <string>
#include <vector>

#include "program/image.hpp"

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

std::string lane_list(LaneMask mask);  // "0-15, 20"

[[noreturn]] void throw_fault(const Grid& grid, const KernelImage& image, const Warp* warp,
                              const Fault& fault);
[[noreturn]] void throw_decode_error(const Code& code, const ptx::Instruction& ins,
                                     const KernelImage& image, const std::string& why);
// Nobody can go on (`spinning`: they run but nothing will ever change). `waiting_blocks`: blocks
// that have not started.
[[noreturn]] void throw_stuck(const Grid& grid, const KernelImage& image,
                              const std::vector<const Block*>& blocks, std::uint64_t waiting_blocks,
                              bool spinning);

}  // namespace emu::exec
