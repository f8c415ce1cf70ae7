// SPDX-License-Identifier: MIT
// Where the operands of an instruction are.
#include "decode/decoder.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "machine/demangle.hpp"
#include "machine/source_place.hpp"
#include "machine/specials.hpp"

namespace emu::exec {
namespace {

using ptx::kNoIndex;
using ptx::Operand;
using ptx::Type;

std::uint32_t lane_bytes(Type type) { return std::max<std::uint32_t>(2, ptx::size_of(type)); }

Ref at(Area area, std::uint32_t offset) {
  Ref ref{};
  ref.area = static_cast<std::uint32_t>(area);
  ref.offset = offset;
  return ref;
}

}  // namespace

std::uint64_t immediate(const Operand& op, Type type) {
  const bool wants_f32 = type == Type::F32, wants_f64 = type == Type::F64;
  switch (op.literal) {
    case Operand::Literal::F32:
      if (wants_f64) {
        return std::bit_cast<std::uint64_t>(
            static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(op.bits))));
      }
      return op.bits;
    case Operand::Literal::F64:
      if (wants_f32) {
        return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(op.bits)));
      }
      return op.bits;
    case Operand::Literal::Integer:
      break;
  }
  return op.bits;
}

Ref Decoder::source(const Operand& op, Type type) {
  const std::uint32_t bytes = lane_bytes(type);
  switch (op.kind) {
    case Operand::Kind::Register: {
      const std::uint32_t has = width(op);
      if (has != bytes) {
        unsupported("register " + function_.registers.at(op.reg).name + " has " +
                    std::to_string(has * 8) + " bits where " + std::to_string(bytes * 8) +
                    " are needed");
      }
      if (const auto it = known_.find(op.reg); it != known_.end())
        return constant(it->second, bytes);
      return slot(op.reg);
    }
    case Operand::Kind::Immediate:
      return constant(immediate(op, type), bytes);
    case Operand::Kind::Symbol:
      return symbol(op, bytes);
    case Operand::Kind::Special:
      return special(op, bytes);
    default:
      unsupported("this operand cannot be read here");
  }
}

std::pair<Ref, LaneMask> Decoder::predicate(const Operand& op) {
  const LaneMask flip = op.negated ? kAllLanes : 0;
  if (op.kind == Operand::Kind::Immediate)
    return {constant(op.bits ? ~std::uint64_t{0} : 0, 4), flip};
  if (op.kind == Operand::Kind::Special) return {special(op, 4), flip};
  if (op.kind != Operand::Kind::Register || function_.registers.at(op.reg).type != Type::Pred) {
    unsupported("a predicate is needed here");
  }
  return {slot(op.reg), flip};
}

Ref Decoder::dest(const Operand& op) {
  if (op.kind == Operand::Kind::Register) return slot(op.reg);
  if (op.kind != Operand::Kind::Sink) unsupported("the result must be a register");
  if (scratch_ == kNoIndex) scratch_ = reserve(kLanes * 16);
  return at(Area::Frame, scratch_);
}

std::uint32_t Decoder::width(const Operand& op) const {
  if (op.kind != Operand::Kind::Register) return 0;
  const Type type = function_.registers.at(op.reg).type;
  return type == Type::Pred ? 0 : lane_bytes(type);
}

std::optional<std::uint64_t> Decoder::known(const Operand& op) const {
  if (op.kind == Operand::Kind::Immediate) return op.bits;
  if (op.kind != Operand::Kind::Register) return std::nullopt;
  const auto it = known_.find(op.reg);
  return it == known_.end() ? std::nullopt : std::optional(it->second);
}

Ref Decoder::constant(std::uint64_t bits, std::uint32_t bytes) {
  if (bytes < 8) bits &= (std::uint64_t{1} << (8 * bytes)) - 1;
  const auto [it, fresh] = constants_.try_emplace({bits, bytes}, 0u);
  if (fresh) {
    auto& pool = code_->constants;
    it->second = static_cast<std::uint32_t>(pool.size());
    if (pool.size() >= kMostFrameBytes) unsupported("the function has too many constants");
    pool.resize(pool.size() + kLanes * bytes);
    for (int lane = 0; lane < kLanes; ++lane) {
      std::memcpy(pool.data() + it->second + lane * bytes, &bits, std::min(bytes, 8u));
    }
  }
  return at(Area::Constant, it->second);
}

Binder::AddressRef Decoder::address(const Operand& op) {
  if (op.kind != Operand::Kind::Address) unsupported("an address in brackets is needed here");
  AddressRef ref;
  ref.offset = op.offset;
  if (op.reg != kNoIndex) {
    const Type type = function_.registers.at(op.reg).type;
    ref.base_bytes = type == Type::Pred ? 0 : lane_bytes(type);
    if (ref.base_bytes != 4 && ref.base_bytes != 8) {
      unsupported("register " + function_.registers[op.reg].name +
                  " cannot hold an address: it must have 32 or 64 bits");
    }
    ref.base = slot(op.reg);
    return ref;
  }
  ref.base = constant(0, 8);
  if (op.symbol.empty()) return ref;
  const Symbol s = find(op.symbol);
  switch (s.kind) {
    case Symbol::Kind::KernelParam:
    case Symbol::Kind::FrameParam:
      ref.is_param = true;
      ref.kernel_param = s.kind == Symbol::Kind::KernelParam;
      ref.space = ptx::Space::Param;
      ref.offset += static_cast<std::int64_t>(s.value);
      break;
    case Symbol::Kind::Shared:
      ref.space = ptx::Space::Shared;
      ref.offset += static_cast<std::int64_t>(s.value);
      break;
    case Symbol::Kind::Local:
      ref.space = ptx::Space::Local;
      ref.base = local_address(static_cast<std::uint32_t>(s.value), 8);
      break;
    default:
      ref.space = ptx::Space::Global;
      ref.base = constant(s.value, 8);
      break;
  }
  return ref;
}

MemorySite* Decoder::new_site() {
  code_->sites.push_back(std::make_unique<MemorySite>());
  return code_->sites.back().get();
}

Ref* Decoder::new_list(std::size_t n) {
  code_->lists.push_back(std::make_unique<Ref[]>(n));
  return code_->lists.back().get();
}

Ref Decoder::slot(std::uint32_t reg) {
  std::uint32_t& offset = slot_.at(reg);
  if (offset == kNoIndex) offset = reserve(frame_bytes_of(function_.registers[reg].type));
  return at(Area::Frame, offset);
}

std::uint32_t Decoder::reserve(std::uint32_t bytes) {
  const std::uint32_t offset = code_->frame_bytes;
  if (offset >= kMostFrameBytes) unsupported("the function needs too many registers");
  code_->frame_bytes += (bytes + 63) / 64 * 64;
  return offset;
}

Symbol Decoder::find(std::string_view name) const {
  const Symbol s = names_.resolve(*code_, name);
  if (s.kind == Symbol::Kind::None) {
    unsupported("the program does not define " + demangle(name));
  }
  return s;
}

Ref Decoder::symbol(const Operand& op, std::uint32_t bytes) {
  const Symbol s = find(op.symbol);
  if (bytes != 4 && bytes != 8) unsupported("an address has 32 or 64 bits");
  if (s.kind == Symbol::Kind::Local) {
    return local_address(static_cast<std::uint32_t>(s.value + op.offset), bytes);
  }
  if (s.kind == Symbol::Kind::FrameParam) {
    unsupported("the address of a function's parameter is taken, which only kernels may do here");
  }
  return constant(s.value + static_cast<std::uint64_t>(op.offset), bytes);
}

Ref Decoder::local_address(std::uint32_t offset, std::uint32_t bytes) {
  for (const auto& known : code_->local_slots) {
    if (known.offset == offset && known.bytes == bytes) return at(Area::Frame, known.slot);
  }
  const std::uint32_t place = reserve(kLanes * bytes);
  code_->local_slots.push_back({place, offset, bytes});
  return at(Area::Frame, place);
}

Ref Decoder::special(const Operand& op, std::uint32_t bytes) {
  const auto found = find_special(op.symbol, bytes);
  if (!found) unsupported("the special register " + std::string(op.symbol) + " is not known");
  if (found->bytes != bytes) {
    unsupported(std::string(op.symbol) + " has " + std::to_string(found->bytes * 8) + " bits");
  }
  reads_clock_ |= found->dynamic;
  return found->ref;
}

void Decoder::unsupported(const std::string& why) const {
  std::string text = "warp-ladder emulator: cannot run " + kernel_.pretty + ": " + why +
                     "\n  kernel  " + kernel_.pretty + "\n";
  if (code_->function != kernel_.function) text += "  in      " + code_->name + "\n";
  text += place_lines(*code_, *current_) + "  ptx     " + one_line(current_->text) + "\n";
  throw KernelError{FaultKind::UnknownInstruction, text, why};
}

}  // namespace emu::exec
