// SPDX-License-Identifier: MIT
#include "decode/self_check.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <memory>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "bind/bind.hpp"
#include "decode/lane_check.hpp"
#include "ptx/module.hpp"

#if defined(__clang__)
#define EMU_COMPILER __VERSION__  // names itself
#else
#define EMU_COMPILER "GCC " __VERSION__
#endif

namespace emu::exec {
namespace {

constexpr Bind kBinders[] = {
#define INSTRUCTION(id, ...) &bind_##id,
#include "ptx/instructions.def"
#undef INSTRUCTION
};

constexpr std::uint64_t kAnswers[] = {
#define SELF_CHECK(text, answer) answer,
#include "decode/self_check.def"
#undef SELF_CHECK
};

// Each register has its own place of this size, whatever its width: the answers do not depend on how
// the decoder lays out a frame.
constexpr std::uint32_t kSlot = kLanes * 8;

constexpr const char* kText =
    ".version 8.6\n.target sm_90\n.address_size 64\n.entry k() {\n"
    ".reg .b16 %h<4>; .reg .b32 %r<4>; .reg .b64 %d<4>; .reg .pred %p<4>;\n"
#define SELF_CHECK(text, answer) text ";\n"
#include "decode/self_check.def"
#undef SELF_CHECK
    "ret;\n}\n";

// Binds single instructions to registers and immediates; nothing else is needed here.
class Bench final : public Binder {
 public:
  explicit Bench(const ptx::Function& function) : function_(function) {}

  Instr bind(const ptx::Instruction& ins) {
    ins_ = &ins;
    Instr out = unbound(ins);
    kBinders[static_cast<std::size_t>(ins.row)](*this, out);
    return out;
  }
  std::span<const std::byte> constants() const { return constants_; }

  const ptx::Instruction& ins() const override { return *ins_; }
  Ref source(const ptx::Operand& op, ptx::Type type) override {
    if (op.kind == ptx::Operand::Kind::Register) return slot(op);
    return constant(op.bits, std::max<std::uint32_t>(2, ptx::size_of(type)));
  }
  std::pair<Ref, LaneMask> predicate(const ptx::Operand& op) override {
    return {slot(op), op.negated ? kAllLanes : 0};
  }
  Ref dest(const ptx::Operand& op) override { return slot(op); }
  std::uint32_t width(const ptx::Operand& op) const override {
    if (op.kind != ptx::Operand::Kind::Register) return 0;
    const ptx::Type type = function_.registers.at(op.reg).type;
    return type == ptx::Type::Pred ? 0 : ptx::size_of(type);
  }
  std::optional<std::uint64_t> known(const ptx::Operand& op) const override {
    if (op.kind != ptx::Operand::Kind::Immediate) return std::nullopt;
    return op.bits;
  }
  Ref constant(std::uint64_t bits, std::uint32_t bytes) override {
    const auto at = static_cast<std::uint32_t>(constants_.size());
    constants_.resize(at + kLanes * bytes);
    for (int i = 0; i < kLanes; ++i)
      std::memcpy(constants_.data() + at + static_cast<std::size_t>(i) * bytes, &bits, bytes);
    return ref(Area::Constant, at);
  }
  AddressRef address(const ptx::Operand&) override { unsupported("it has an address"); }
  MemorySite* new_site() override { unsupported("it is an access"); }
  Ref* new_list(std::size_t) override { unsupported("it has a vector"); }
  void keep(std::shared_ptr<void> extra) override { kept_.push_back(std::move(extra)); }
  Callee callee(std::string_view) const override { unsupported("it is a call"); }
  const Code& code() const override { unsupported("it belongs to a kernel"); }
  [[noreturn]] void unsupported(const std::string& why) const override {
    throw std::logic_error("not for the self-check: " + std::string(ins_->text) + ": " + why);
  }

 private:
  static Ref ref(Area area, std::uint32_t offset) {
    Ref r{};
    r.area = static_cast<std::uint32_t>(area);
    r.offset = offset;
    return r;
  }
  Ref slot(const ptx::Operand& op) const {
    if (op.kind != ptx::Operand::Kind::Register) unsupported("a register is needed");
    return ref(Area::Frame, op.reg * kSlot);
  }

  const ptx::Function& function_;
  const ptx::Instruction* ins_ = nullptr;
  std::vector<std::byte> constants_;
  std::vector<std::shared_ptr<void>> kept_;
};

std::uint64_t hash_of(std::span<const std::byte> bytes) {
  std::uint64_t h = 0xcbf29ce484222325u, word = 0;
  for (std::size_t i = 0; i + 8 <= bytes.size(); i += 8) {
    std::memcpy(&word, bytes.data() + i, 8);
    h = (h ^ word) * 0x100000001b3u;
    h ^= h >> 29;
  }
  return h;
}

std::string name_of(const ptx::Instruction& ins) {
  return std::string(ins.text.substr(0, ins.text.find(' ')));
}

}  // namespace

std::optional<SelfCheckFailure> self_check(Substitute substitute) {
  const auto module = ptx::parse(kText);
  const ptx::Function& function = *module->functions.at(0);
  Bench bench(function);
  std::vector<Instr> instrs;
  for (std::size_t i = 0; i < std::size(kAnswers); ++i) {
    instrs.push_back(bench.bind(function.code.at(i)));
    if (substitute != nullptr) instrs.back().fn = substitute(function.code[i], instrs.back().fn);
  }
  LaneCheck check(function.registers.size() * kSlot, bench.constants());
  check.fill(1);
  for (std::size_t i = 0; i < instrs.size(); ++i) {
    std::string_view how = check.compare(instrs[i], true);
    const std::uint64_t answer = hash_of(check.alone().subspan(instrs[i].dst.offset, kSlot));
    if (how.empty() && answer != kAnswers[i]) how = "with one lane on";
    if (!how.empty()) return SelfCheckFailure{name_of(function.code[i]), std::string(how), answer};
  }
  return std::nullopt;
}

std::string describe(const SelfCheckFailure& failure) {
  return "this build of the emulator computes " + failure.instruction + " wrongly " + failure.how +
         ": the compiler it was built with (" EMU_COMPILER
         ") made wrong code, so nothing is run. Build it with another compiler, or with "
         "-DWARPLADDER_NATIVE=OFF, or with -DCMAKE_CXX_FLAGS=-fno-tree-vectorize (slower)";
}

}  // namespace emu::exec
