// SPDX-License-Identifier: MIT
// In which order the machine code of a kernel asks for lines: not quite that of the PTX.
#include <algorithm>
#include <string_view>

#include "counters/caches/level1.hpp"
#include "counters/ptxas/branches.hpp"
#include "counters/ptxas/instruction_kinds.hpp"
#include "counters/ptxas/unrolled_rounds.hpp"
#include "machine/code.hpp"
#include "ptx/module.hpp"

namespace emu::observe {
namespace {

using exec::Instr;

bool stores_far(const Instr& in) {
  return in.row == ptx::Row::st && in.source && in.source->has("global");
}

// Where parts begin: a part is what runs on end, to the next branch, its target, or where lanes or warps meet, or to what the
// compiler calls a function for, since nothing is moved over that. A branch around a few instructions is none: they get a
// predicate instead, or loads behind it are moved to before it.
std::vector<bool> beginnings(const exec::Code& code) {
  std::vector<bool> begins(code.instrs.size() + 1);
  for (std::size_t i = 0; i < code.instrs.size(); ++i) {
    const Instr& in = code.instrs[i];
    const bool called = in.source && calls(in.row, *in.source);
    if (!called && (in.flow == exec::Flow::Next || guarded_until(code, i) || skips_little(code, i)))
      continue;
    begins[i + 1] = true;
    if (in.flow == exec::Flow::Branch) begins[in.target] = true;
  }
  begins[code.instrs.size()] = true;
  return begins;
}

// Of each load in a part: how many loads of the part come one after the other before its address is known.
class Depths {
 public:
  void look_at(const exec::Code& code, std::size_t from, std::size_t to) {
    depth_.clear(), carried_.clear(), known_.clear();
    ++part_;
    for (std::size_t i = from; i < to; ++i) depth_.push_back(go_over(code.instrs[i]));
    // Once more, with what the round before has left, if it is a loop.
    for (const std::uint32_t reg : known_)
      if (of_[reg].depth) of_[reg].depth = kRoundBefore;
    for (std::size_t i = from; i < to; ++i)
      carried_.push_back(go_over(code.instrs[i]) >= kRoundBefore);
  }
  std::uint8_t of(std::size_t i) const {
    return static_cast<std::uint8_t>(std::min(depth_[i], 255u));
  }
  bool carried(std::size_t i) const { return carried_[i]; }

 private:
  static constexpr unsigned kRoundBefore = 1u << 16;
  struct Value {  // of a register
    unsigned part = 0, depth = 0;
  };
  // Returns how deep an address lies, or what is computed.
  unsigned go_over(const Instr& in) {
    if (!in.source || in.source->operands.empty()) return 0;
    const auto& operands = in.source->operands;
    const std::size_t first = writes_first(in.row) ? 1 : 0;
    const std::size_t end = in.access ? std::min(first + 1, operands.size()) : operands.size();
    unsigned depth = 0;
    for (std::size_t k = first; k < end; ++k)
      visit_registers(operands[k], [&](std::uint32_t reg) {
        if (reg < of_.size() && of_[reg].part == part_) depth = std::max(depth, of_[reg].depth);
      });
    const bool far = in.row == ptx::Row::ld && in.source->has("global");
    const unsigned left = far ? depth + 1 : in.access ? 0 : depth;
    if (first == 1) visit_registers(operands[0], [&](std::uint32_t reg) { set(reg, left); });
    return depth;
  }
  void set(std::uint32_t reg, unsigned depth) {
    if (reg >= of_.size()) of_.resize(reg + 64);
    if (of_[reg].part != part_) known_.push_back(reg);
    of_[reg] = {part_, depth};
  }

  unsigned part_ = 0;
  std::vector<Value> of_;
  std::vector<std::uint32_t> known_;  // registers
  std::vector<unsigned> depth_;
  std::vector<bool> carried_;
};

// Where addresses count from: a register that holds another one and a constant stands for that one, as the compiler sees it. Only
// registers that one instruction writes.
class Bases {
 public:
  struct Base {
    std::uint32_t reg = ptx::kNoIndex;
    std::int64_t offset = 0;
  };
  explicit Bases(const exec::Code& code) {
    std::vector<std::uint8_t> writers;
    for (const Instr& in : code.instrs) {
      if (!in.source) continue;
      visit_written(in, [&](std::uint32_t reg) {
        if (reg >= writers.size()) writers.resize(reg + 64);
        writers[reg] = std::min(writers[reg] + 1, 2);
      });
    }
    const auto once = [&](std::uint32_t reg) { return reg < writers.size() && writers[reg] == 1; };
    base_.resize(writers.size());
    for (const Instr& in : code.instrs) {
      if (in.row != ptx::Row::add_int || !in.source || ptx::size_of(in.source->type()) != 8)
        continue;
      const auto& operands = in.source->operands;
      if (operands.size() != 3 || operands[2].kind != ptx::Operand::Kind::Immediate) continue;
      if (!once(operands[0].reg) || !once(operands[1].reg)) continue;
      const Base from = of(operands[1].reg);
      base_[operands[0].reg] = {from.reg,
                                from.offset + static_cast<std::int64_t>(operands[2].bits)};
    }
  }
  Base of(std::uint32_t reg) const {
    return reg < base_.size() && base_[reg].reg != ptx::kNoIndex ? base_[reg] : Base{reg, 0};
  }

 private:
  std::vector<Base> base_;
};

// Which loads of a part the compiler can put before all stores of the part that come first: it knows that they want other words,
// since both count from the same register, or that nobody writes what they read.
class Passing {
 public:
  explicit Passing(const exec::Code& code) : bases_(code) {}
  std::vector<bool> look_at(const exec::Code& code, std::size_t from, std::size_t to) {
    stores_.clear(), changed_.clear();
    open_ = true;
    std::vector<bool> passes;
    for (std::size_t i = from; i < to; ++i) {
      const Instr& in = code.instrs[i];
      passes.push_back(in.source && passes_stores(in));
      if (in.source) note(in);
    }
    return passes;
  }

 private:
  struct Span {  // of bytes, from what a register holds
    std::uint32_t reg = ptx::kNoIndex;
    std::int64_t first = 0, end = 0;
  };
  static bool is_global(const ptx::Instruction& ins) {
    return (ins.row == ptx::Row::ld || ins.row == ptx::Row::st) && ins.has("global");
  }
  Span span_of(const ptx::Instruction& ins) const {
    for (const ptx::Operand& operand : ins.operands)
      if (operand.kind == ptx::Operand::Kind::Address && operand.reg != ptx::kNoIndex) {
        const std::int64_t bytes = ins.has("v4") ? 4 : ins.has("v2") ? 2 : 1;
        const Bases::Base base = bases_.of(operand.reg);
        const std::int64_t first = base.offset + operand.offset;
        return {base.reg, first,
                first + bytes * static_cast<std::int64_t>(ptx::size_of(ins.type()))};
      }
    return {};
  }
  bool passes_stores(const Instr& in) const {
    const ptx::Instruction& ins = *in.source;
    if (in.row != ptx::Row::ld || !is_global(ins) || !open_) return false;
    for (const std::string_view stays : {"volatile", "relaxed", "acquire", "mmio"})
      if (ins.has(stays)) return false;
    if (ins.has("nc")) return true;
    const Span wanted = span_of(ins);
    return std::all_of(stores_.begin(), stores_.end(), [&](const Span& stored) {
      return stored.reg == wanted.reg && wanted.reg != ptx::kNoIndex &&
             (stored.end <= wanted.first || wanted.end <= stored.first) &&
             std::find(changed_.begin(), changed_.end(), wanted.reg) == changed_.end();
    });
  }
  void note(const Instr& in) {
    const ptx::Instruction& ins = *in.source;
    if (stores_far(in)) {
      stores_.push_back(span_of(ins));
    } else if (in.access && !is_global(ins) && !ins.has("shared") && !ins.has("local") &&
               !ins.has("param") && !ins.has("const")) {
      open_ = false;
    }
    if (!stores_.empty() && writes_first(in.row) && !ins.operands.empty())
      visit_registers(ins.operands[0], [&](std::uint32_t reg) { changed_.push_back(reg); });
  }
  Bases bases_;
  std::vector<Span> stores_;
  std::vector<std::uint32_t> changed_;  // registers, since the first store
  bool open_ = true;                    // nothing that others see has come in between
};

// How many rounds of the loop that is this part the compiler makes one.
std::uint8_t rounds_in_one(const exec::Code& code, std::size_t from, std::size_t to) {
  return static_cast<std::uint8_t>(
      std::min<std::size_t>(UINT8_MAX, unrolled_rounds(code, from, to - 1).rounds));
}

// How many instructions of the machine stand between stores because of it, one that takes long counting for many. Copies are
// none, no more than what a predicate replaces or what moves to before the stores: loads that can pass them, and what is computed
// for those behind, if they are few. What is computed for a store with a predicate moves behind the stores that have none.
std::uint32_t length_of(const Instr& in, bool begins_part, bool passes, bool stored,
                        bool predicated) {
  constexpr std::uint32_t kLong = 16;
  const ptx::Cost cost = ptx::info(in.row).cost;
  if (stored && !in.access && in.flow == exec::Flow::Next && !takes_long(in.row)) return 0;
  if (predicated && ptx::info(in.row).others == ptx::Others::Own) return 0;
  if (cost == ptx::Cost::Free || cost == ptx::Cost::Move || passes) return 0;
  if (in.flow == exec::Flow::Branch && !begins_part) return 0;
  return takes_long(in.row) ? kLong : 1;
}

// Whether what the stores of a part need is computed before the first of them: if they are few, it finds room in registers.
bool computes_first(const exec::Code& code, std::size_t from, std::size_t to) {
  constexpr std::size_t kFewStores = 4;
  std::size_t stores = 0;
  for (std::size_t i = from; i < to; ++i) stores += stores_far(code.instrs[i]);
  return stores <= kFewStores;
}

}  // namespace

void Level1::number(const exec::Code& code) {
  const std::vector<bool> begins = beginnings(code);
  Place place = places_.empty() ? Place{} : places_.back();
  Depths depths;
  Passing passing(code);
  std::size_t predicated = 0;  // until there
  for (std::size_t from = 0, to = 0; from < code.instrs.size(); from = to) {
    to = from + 1;
    while (!begins[to]) ++to;
    depths.look_at(code, from, to);
    const std::vector<bool> passes = passing.look_at(code, from, to);
    ++place.part;
    place.rounds = rounds_in_one(code, from, to);
    const bool few = computes_first(code, from, to);
    bool stored = false;  // one of them
    for (std::size_t i = from; i < to; ++i) {
      predicated = std::max(predicated, predicated_until(code, i));
      place.number +=
          length_of(code.instrs[i], begins[i + 1], passes[i - from], stored, i < predicated);
      stored |= few && stores_far(code.instrs[i]);
      place.guard += code.instrs[i].flow == exec::Flow::Branch && !begins[i + 1];
      place.depth = depths.of(i - from);
      place.carried = depths.carried(i - from);
      place.passes = passes[i - from];
      places_.push_back(place);
    }
  }
}

// Where the loads end that the compiler can put side by side with the one at touch `first`: those of the same part of the code,
// in as many rounds of a loop as it makes one, with nothing else in between.
std::size_t Level1::end_of_loads(const std::vector<Touch>& touches, std::size_t first) const {
  const Place begin = place_of(touches[first].instruction);
  std::uint32_t last = touches[first].instruction;
  std::uint8_t rounds = 1;
  std::size_t i = first + 1;
  for (; i < touches.size(); ++i) {
    if (!touches[i].begins) continue;
    const Place place = place_of(touches[i].instruction);
    if (!touches[i].loads() || place.part != begin.part) break;
    const bool again = touches[i].instruction <= last;
    if (again && (place.carried || ++rounds > begin.rounds)) break;
    last = touches[i].instruction;
  }
  return i;
}

// Loads that can pass the stores before them do: from the first store of a part on, those of the part that come behind it.
void Level1::let_pass(OfWarp& warp) const {
  std::vector<Touch>& touches = warp.touches;
  std::size_t store = touches.size();  // the first one of the part
  std::uint32_t last = 0;
  for (std::size_t i = warp.in_order, end = i; i < touches.size(); i = end) {
    end = i + 1;
    while (end < touches.size() && !touches[end].begins) ++end;
    const Place place = place_of(touches[i].instruction);
    const bool same = store < i && place.part == place_of(touches[store].instruction).part &&
                      touches[i].instruction > last;
    if (!same) store = touches.size();
    last = touches[i].instruction;
    if (store > i && touches[i].how == How::Store) store = i;
    if (store >= i) continue;
    if (!touches[i].loads() && touches[i].how != How::Store) {
      store = touches.size();
    } else if (touches[i].loads() && place.passes) {
      std::rotate(touches.begin() + static_cast<std::ptrdiff_t>(store),
                  touches.begin() + static_cast<std::ptrdiff_t>(i),
                  touches.begin() + static_cast<std::ptrdiff_t>(end));
      store += end - i;
    }
  }
}

// In the order of the machine code, and with where the warp waits: before a store, and before loads whose addresses come from
// what it has asked for. Of loads that the compiler can put side by side, those come first that wait for nothing.
void Level1::put_in_order(OfWarp& warp) const {
  std::vector<Touch>& touches = warp.touches;
  let_pass(warp);
  const auto depth_of = [&](const Touch& touch) { return place_of(touch.instruction).depth; };
  const auto sooner = [&](const Touch& a, const Touch& b) { return depth_of(a) < depth_of(b); };
  for (std::size_t first = warp.in_order; first < touches.size();) {
    if (!touches[first].loads()) {
      const How how = touches[first].how;
      touches[first].waits = touches[first].begins && (how == How::Store || how == How::Atomic);
      ++first;
      continue;
    }
    const std::size_t after = end_of_loads(touches, first);
    const auto begin = touches.begin() + static_cast<std::ptrdiff_t>(first),
               end = touches.begin() + static_cast<std::ptrdiff_t>(after);
    if (!std::is_sorted(begin, end, sooner)) std::stable_sort(begin, end, sooner);
    for (std::size_t i = first; i < after; ++i)
      touches[i].waits =
          i == first || (touches[i].begins && depth_of(touches[i]) != depth_of(touches[i - 1]));
    first = after;
  }
  warp.in_order = touches.size();
}

}  // namespace emu::observe
