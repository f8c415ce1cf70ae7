// SPDX-License-Identifier: MIT
#include "counters/ptxas/joined_loads.hpp"

#include <algorithm>
#include <string_view>

#include "counters/ptxas/instruction_kinds.hpp"
#include "ptx/module.hpp"

namespace emu::observe {
namespace {

using exec::Instr;

constexpr std::int64_t kHalf = 2, kWord = 4;

struct Load {
  std::uint32_t at = 0;  // instruction
  std::uint32_t reg = ptx::kNoIndex;
  std::int64_t first = 0, bytes = 0, element = 0;
  bool extended = false;  // by the sign
  bool half = false;      // that may as well come in a word
  bool read_only = false, joined = false;

  std::int64_t end() const { return first + bytes; }
};

bool is_plain(const ptx::Instruction& ins) {
  if (ins.row != ptx::Row::ld || !ins.has("global") || ins.guard != ptx::kNoIndex) return false;
  for (const std::string_view other :
       {"volatile", "relaxed", "acquire", "mmio", "cs", "cg", "cv", "lu", "L1::no_allocate"})
    if (ins.has(other)) return false;
  return ins.operands.size() == 2 && ins.operands[1].reg != ptx::kNoIndex;
}

// Registers of halves that are read by conversions alone which can take them from either half of a word: of numbers with a sign.
std::vector<bool> taken_from_words(const ptx::Function& function) {
  std::vector<bool> taken(function.registers.size()), otherwise(taken);
  for (const ptx::Instruction& ins : function.code) {
    const bool takes = ins.row == ptx::Row::cvt && !ins.has("pack") &&
                       (ins.type(1) == ptx::Type::S16 || ins.type(1) == ptx::Type::F16);
    std::vector<bool>& how = takes ? taken : otherwise;
    for (std::size_t k = writes_first(ins.row) ? 1 : 0; k < ins.operands.size(); ++k)
      visit_registers(ins.operands[k], [&](std::uint32_t reg) { how[reg] = true; });
  }
  for (std::size_t reg = 0; reg < taken.size(); ++reg) taken[reg] = taken[reg] && !otherwise[reg];
  return taken;
}

// Bytes and halves that are elements of a vector come in words.
Load load_of(const ptx::Instruction& ins, std::size_t at, const std::vector<bool>& taken) {
  const auto element = static_cast<std::int64_t>(ptx::size_of(ins.type()));
  const std::int64_t elements = ins.has("v4") ? 4 : ins.has("v2") ? 2 : 1;
  const bool in_words = elements > 1 && element < kWord && elements * element >= kWord;
  const ptx::Operand& from = ins.operands[1];
  return {.at = static_cast<std::uint32_t>(at),
          .reg = from.reg,
          .first = from.offset,
          .bytes = elements * element,
          .element = in_words ? kWord : element,
          .extended = element < kWord && is_signed(ins.type()) && !in_words,
          .half = elements == 1 && element == kHalf && ins.operands[0].reg < taken.size() &&
                  taken[ins.operands[0].reg],
          .read_only = ins.has("nc")};
}

bool alike(const Load& a, const Load& b) { return a.reg == b.reg && a.read_only == b.read_only; }

bool brings(const Load& wide, const Load& wanted) {
  return wide.element == wanted.element && wide.extended == wanted.extended &&
         wide.first <= wanted.first && wanted.end() <= wide.end();
}

class Stretch {
 public:
  explicit Stretch(std::vector<std::uint32_t>& by) : by_(by) {}
  void clear() { loads_.clear(); }
  void stored() {
    std::erase_if(loads_, [](const Load& load) { return !load.read_only; });
  }
  void changed(std::uint32_t reg) {
    std::erase_if(loads_, [reg](const Load& load) { return load.reg == reg; });
  }
  void add(Load load) {
    for (Load& before : loads_) {
      if (before.joined || !alike(before, load)) continue;
      if (brings(before, load) || is_other_half(before, load)) {
        by_[load.at] = before.at;
        load.joined = true;
        break;
      }
      if (!brings(load, before)) continue;
      by_[before.at] = load.at;
      before.joined = true;
    }
    loads_.push_back(load);
  }

 private:
  bool is_other_half(const Load& a, const Load& b) const {
    const std::int64_t first = std::min(a.first, b.first);
    if (!a.half || !b.half || a.first + b.first != 2 * first + kHalf) return false;
    return std::any_of(loads_.begin(), loads_.end(), [&](const Load& proof) {
      return alike(proof, a) && proof.element >= kWord && (proof.first - first) % kWord == 0;
    });
  }

  std::vector<std::uint32_t>& by_;
  std::vector<Load> loads_;
};

bool may_store(const Instr& in) {
  if (!in.access || in.row == ptx::Row::ld) return false;
  return !in_space(*in.source, "shared") && !in_space(*in.source, "local");
}

}  // namespace

std::vector<std::uint32_t> joined_loads(const exec::Code& code) {
  std::vector<std::uint32_t> by(code.instrs.size(), kOnItsOwn);
  std::vector<bool> begins(code.instrs.size() + 1);
  for (std::size_t i = 0; i < code.instrs.size(); ++i) {
    const Instr& in = code.instrs[i];
    if (in.flow == exec::Flow::Next) continue;
    begins[i + 1] = true;
    if (in.flow == exec::Flow::Branch) begins[in.target] = true;
  }
  const std::vector<bool> taken = taken_from_words(*code.function);
  Stretch stretch(by);
  for (std::size_t i = 0; i < code.instrs.size(); ++i) {
    const Instr& in = code.instrs[i];
    if (begins[i]) stretch.clear();
    if (!in.source) continue;
    if (may_store(in)) stretch.stored();
    if (is_plain(*in.source)) stretch.add(load_of(*in.source, i, taken));
    if (writes_first(in.row) && !in.source->operands.empty())
      visit_registers(in.source->operands[0], [&](std::uint32_t reg) { stretch.changed(reg); });
  }
  // One that another one brings may have brought a third.
  for (std::uint32_t& one : by)
    while (one != kOnItsOwn && by[one] != kOnItsOwn) one = by[one];
  return by;
}

}  // namespace emu::observe
