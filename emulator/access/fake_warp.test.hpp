// SPDX-License-Identifier: MIT
// A warp without an engine, for unit tests of single memory instructions: 64 registers, one block,
// a binder that reads operands made by hand.
//
// Long because it stands for a whole launch, in one place.
#pragma once

#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "access/access.hpp"
#include "bind/bind.hpp"
#include "machine/grid.hpp"
#include "machine/warp.hpp"

namespace emu::exec::fake {

inline constexpr int kRegisters = 64;
inline constexpr std::uint32_t kSlot = 512;  // bytes of a register: 32 lanes of up to 16

inline ptx::Operand reg(std::uint32_t r) {
  ptx::Operand op;
  op.kind = ptx::Operand::Kind::Register;
  op.reg = r;
  return op;
}
inline ptx::Operand imm(std::uint64_t bits) {
  ptx::Operand op;
  op.kind = ptx::Operand::Kind::Immediate;
  op.bits = bits;
  return op;
}
inline ptx::Operand mem(std::uint32_t r, std::int64_t offset = 0) {
  ptx::Operand op = reg(r);
  op.kind = ptx::Operand::Kind::Address;
  op.offset = offset;
  return op;
}
inline ptx::Operand param(std::int64_t offset, bool kernel) {  // the binder knows these two names
  ptx::Operand op;
  op.kind = ptx::Operand::Kind::Address;
  op.symbol = kernel ? "kernel" : "frame";
  op.offset = offset;
  return op;
}
inline ptx::Operand vec(std::vector<ptx::Operand> parts) {
  ptx::Operand op;
  op.kind = ptx::Operand::Kind::Vector;
  op.parts = std::move(parts);
  return op;
}
inline ptx::Operand sink() { return {}; }

class Machine : public Binder {
 public:
  Machine() : registers_(kRegisters * kSlot), constants_(64 * kSlot), widths(kRegisters, 4) {
    block.grid = &grid;
    block.cluster = {&block};
    grid.grid = {1, 1, 1};
    warp.block = &block;
    warp.areas[std::size_t(Area::Frame)] = registers_.data();
    warp.areas[std::size_t(Area::Constant)] = constants_.data();
    warp.active = warp.live = kAllLanes;
    warp.frame = &frame;
    frame.code = &body;
    block.shared.resize(4096);
    warp.local_stride = 256;
    warp.local.resize(32 * 256);
  }

  // Decodes one instruction; mods and types as the reader would give them.
  Instr bind(ptx::Row row, Bind binder, std::vector<std::string_view> mods,
             std::vector<ptx::Type> types, std::vector<ptx::Operand> operands) {
    auto ins = std::make_shared<ptx::Instruction>();
    ins->row = row;
    ins->mods = std::move(mods);
    ins->types = std::move(types);
    ins->operands = std::move(operands);
    current_ = ins.get();
    keep(ins);
    Instr out = unbound(*ins);
    binder(*this, out);
    return out;
  }
  // As the engine does it.
  void run(const Instr& in, LaneMask mask = kAllLanes) {
    if (warp.observer && in.site) observe_access(warp, in, mask);
    in.fn(warp, in, mask);
  }

  template <class T>
  T* r(int i) {
    widths[i] = sizeof(T);
    return reinterpret_cast<T*>(registers_.data() + i * kSlot);
  }
  LaneMask& p(int i) {
    widths[i] = 0;
    return *reinterpret_cast<LaneMask*>(registers_.data() + i * kSlot);
  }

  const ptx::Instruction& ins() const override { return *current_; }
  using Binder::dest;
  using Binder::source;
  Ref source(const ptx::Operand& op, ptx::Type type) override {
    if (op.kind == ptx::Operand::Kind::Register)
      return {std::uint32_t(Area::Frame), op.reg * kSlot};
    return constant(op.bits, ptx::size_of(type));
  }
  std::pair<Ref, LaneMask> predicate(const ptx::Operand& op) override {
    return {{std::uint32_t(Area::Frame), op.reg * kSlot}, op.negated ? kAllLanes : 0};
  }
  Ref dest(const ptx::Operand& op) override {
    return {std::uint32_t(Area::Frame),
            (op.kind == ptx::Operand::Kind::Register ? op.reg : kRegisters - 1) * kSlot};
  }
  std::uint32_t width(const ptx::Operand& op) const override {
    return op.kind == ptx::Operand::Kind::Register ? widths[op.reg] : 0;
  }
  Ref constant(std::uint64_t bits, std::uint32_t bytes) override {
    const Ref ref{std::uint32_t(Area::Constant), used_++ * kSlot};
    const std::uint32_t step = bytes < 2 ? 2 : bytes;
    std::byte* at = constants_.data() + ref.offset;
    for (int i = 0; i < kLanes; ++i) std::memcpy(at + i * step, &bits, step < 8 ? step : 8);
    return ref;
  }
  std::optional<std::uint64_t> known(const ptx::Operand& op) const override {
    if (op.kind != ptx::Operand::Kind::Immediate) return std::nullopt;
    return op.bits;
  }
  AddressRef address(const ptx::Operand& op) override {
    AddressRef a;
    a.offset = op.offset;
    if (op.reg == ptx::kNoIndex) {
      a.is_param = true;
      a.kernel_param = op.symbol == "kernel";
      return a;
    }
    a.base = {std::uint32_t(Area::Frame), op.reg * kSlot};
    a.base_bytes = widths[op.reg];
    return a;
  }
  MemorySite* new_site() override {
    body.sites.push_back(std::make_unique<MemorySite>());
    return body.sites.back().get();
  }
  Ref* new_list(std::size_t n) override {
    body.lists.push_back(std::make_unique<Ref[]>(n));
    return body.lists.back().get();
  }
  void keep(std::shared_ptr<void> extra) override { body.extras.push_back(std::move(extra)); }
  Callee callee(std::string_view) const override {
    throw std::logic_error("a fake warp runs no kernel");
  }
  const Code& code() const override { return body; }
  [[noreturn]] void unsupported(const std::string& why) const override {
    throw std::runtime_error(why);
  }

 private:
  std::vector<std::byte> registers_, constants_;
  const ptx::Instruction* current_ = nullptr;
  std::uint32_t used_ = 0;

 public:
  Grid grid;
  Block block;
  Warp warp;
  Frame frame;
  Code body;
  std::vector<std::uint32_t> widths;
};

}  // namespace emu::exec::fake
