// SPDX-License-Identifier: MIT
#include "vectors/masks.hpp"

#include <algorithm>
#include <tuple>

#include "decode/lane_check.hpp"
#include "program/image.hpp"
#include "ptx/module.hpp"
#include "vectors/catalogue.hpp"

namespace emu::vectors {
namespace {

using ptx::Operand;
using ptx::Row;

// Special registers are filled by the engine, and addresses of symbols belong to the kernel.
bool registers_only(const Operand& op) {
  return op.kind != Operand::Kind::Special && op.kind != Operand::Kind::Symbol &&
         std::all_of(op.parts.begin(), op.parts.end(), registers_only);
}

// What a handler's work depends on besides its values.
auto key_of(const exec::Instr& in) {
  std::vector<int> kinds;
  for (const Operand& op : in.source->operands) kinds.push_back(static_cast<int>(op.kind));
  return std::tuple(in.row, in.fn, in.imm, in.flags, in.count, std::move(kinds));
}

}  // namespace

bool is_lanewise(Row row) {
  switch (row) {
    case Row::shfl:
      return false;
    case Row::cvt:
    case Row::cvt_pack:
    case Row::vabsdiff2:
    case Row::vabsdiff4:
      return true;
    default:
      return row <= Row::prmt;  // PTX 9.7.1 to 9.7.8, and what only moves data
  }
}

MaskReport compare_masks(int fills) {
  MaskReport report;
  std::set<decltype(key_of(std::declval<exec::Instr>()))> seen;
  for (const Variant& variant : catalogue()) {
    const exec::Program program({ptx::parse(variant.ptx)}, 0);
    const auto& image = static_cast<const exec::KernelImage&>(*program.kernel("k"));
    const exec::Code& code = image.code(*image.function, *image.module);
    exec::LaneCheck check(code.frame_bytes, code.constants);
    for (const exec::Instr& in : code.instrs) {
      if (in.source == nullptr || !is_lanewise(in.row) || in.flow != exec::Flow::Next) continue;
      const auto& operands = in.source->operands;
      if (!std::all_of(operands.begin(), operands.end(), registers_only)) continue;
      if (!seen.insert(key_of(in)).second) continue;
      report.rows.insert(in.row);
      ++report.instructions;
      for (int seed = 1; seed <= fills; ++seed) {
        check.fill(static_cast<std::uint64_t>(seed));
        ++report.compared;
        const std::string_view how = check.compare(in);
        if (how.empty()) continue;
        report.wrong.push_back(std::string(in.source->text) + " " + std::string(how));
        break;
      }
    }
  }
  return report;
}

}  // namespace emu::vectors
