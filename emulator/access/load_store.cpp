// SPDX-License-Identifier: MIT
// Loads and stores: what their binders share, and the path that serves every space and type.
#include "access/load_store.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace emu::exec {

using ptx::Operand;
using ptx::Space;

Elements elements_of(const Operand& op) {
  if (op.kind == Operand::Kind::Vector) return {op.parts.data(), op.parts.size()};
  return {&op, 1};
}

Shape shape_of(Binder& b, const Elements& elements, ptx::Type type) {
  Shape s;
  s.element_bytes = ptx::size_of(type);
  s.sign = ptx::is_signed(type);
  s.elements = static_cast<int>(elements.count);
  s.register_bytes = 0;
  for (std::size_t i = 0; i < elements.count; ++i) {
    const std::uint32_t width = b.width(elements[i]);
    if (width == 0) continue;  // a sink or a constant takes any width
    if (s.register_bytes != 0 && s.register_bytes != width)
      b.unsupported("registers of one vector differ in width");
    s.register_bytes = width;
  }
  if (s.register_bytes == 0) s.register_bytes = std::max(s.element_bytes, 2u);
  if (s.element_bytes == 0) b.unsupported("a load or store needs a type");
  if (s.register_bytes < s.element_bytes) b.unsupported("the register is narrower than the type");
  const std::size_t n = elements.count;
  const bool vector = b.has("v2") || b.has("v4") || b.has("v8");
  if (n != (b.has("v2") ? 2 : b.has("v4") ? 4 : b.has("v8") ? 8 : 1) && (vector || n != 1)) {
    b.unsupported("the number of registers does not fit the vector width");
  }
  return s;
}

MemorySpec* bind_memory(Binder& b, Instr& out, const Operand& address, const Shape& shape,
                        Use use) {
  MemorySpec spec;
  spec.where = bind_address(b, address);
  spec.element_bytes = static_cast<std::uint8_t>(shape.element_bytes);
  spec.register_bytes = static_cast<std::uint8_t>(shape.register_bytes);
  spec.sign = shape.sign;
  spec.constant = b.has("const");
  spec.what.bytes = shape.element_bytes * static_cast<std::uint32_t>(shape.elements);
  spec.what.align = std::bit_ceil(spec.what.bytes);
  // Parameters are packed by the ABI: only each element is aligned, whatever the vector.
  if (spec.where.space == Space::Param) spec.what.align = shape.element_bytes;
  spec.what.use = use;
  spec.what.kind = use == Use::Read ? observe::AccessKind::Load : observe::AccessKind::Store;
  out.src[0] = spec.where.base;
  out.imm = spec.where.offset;
  out.count = static_cast<std::uint16_t>(shape.elements);
  out.site = b.new_site();
  MemorySpec* kept = b.make(spec);
  out.extra = kept;
  return kept;
}

Handler HandlerBySpace::of(const AddressSpec& where) const {
  if (where.param_symbol) return where.kernel_param ? kernel_param : frame_param;
  const bool wide = where.base_bytes == 8;
  switch (where.space) {
    case Space::Global:
      return wide ? global : nullptr;
    case Space::Generic:
      return wide ? generic : nullptr;
    case Space::Shared:
      return wide ? shared : shared32;
    case Space::Local:
      return wide ? local : local32;
    default:
      return nullptr;
  }
}

namespace {

std::uint64_t read_element(const std::byte* p, const MemorySpec& spec) {
  std::uint64_t value = 0;
  switch (spec.element_bytes) {
    case 1:
      value = read_as<std::uint8_t>(p);
      break;
    case 2:
      value = read_as<std::uint16_t>(p);
      break;
    case 4:
      value = read_as<std::uint32_t>(p);
      break;
    default:
      value = read_as<std::uint64_t>(p);
      break;
  }
  if (spec.sign && spec.element_bytes < 8) {
    const int unused = 64 - 8 * spec.element_bytes;
    value = static_cast<std::uint64_t>(static_cast<std::int64_t>(value << unused) >> unused);
  }
  return value;
}

void write_register(Warp& w, Ref ref, int lane, std::uint32_t bytes, std::uint64_t value) {
  switch (bytes) {
    case 2:
      w.lanes<std::uint16_t>(ref)[lane] = static_cast<std::uint16_t>(value);
      break;
    case 4:
      w.lanes<std::uint32_t>(ref)[lane] = static_cast<std::uint32_t>(value);
      break;
    default:
      w.lanes<std::uint64_t>(ref)[lane] = value;
      break;
  }
}

std::uint64_t read_register(const Warp& w, Ref ref, int lane, std::uint32_t bytes) {
  switch (bytes) {
    case 2:
      return w.lanes<std::uint16_t>(ref)[lane];
    case 4:
      return w.lanes<std::uint32_t>(ref)[lane];
    default:
      return w.lanes<std::uint64_t>(ref)[lane];
  }
}

void write_element(std::byte* p, std::uint64_t value, std::uint32_t bytes) {
  switch (bytes) {
    case 1: {
      const auto v = static_cast<std::uint8_t>(value);
      std::memcpy(p, &v, 1);
      break;
    }
    case 2: {
      const auto v = static_cast<std::uint16_t>(value);
      std::memcpy(p, &v, 2);
      break;
    }
    case 4: {
      const auto v = static_cast<std::uint32_t>(value);
      std::memcpy(p, &v, 4);
      break;
    }
    default:
      std::memcpy(p, &value, 8);
      break;
  }
}

}  // namespace

void load_checked(Warp& w, const Instr& in, LaneMask mask) {
  const auto& spec = *static_cast<const MemorySpec*>(in.extra);
  std::byte* at[kLanes];
  place_lanes(w, in, spec.where, spec.what, mask, at);
  for (int e = 0; e < in.count; ++e) {
    const Ref d = in.list ? in.list[e] : in.dst;
    for (LaneMask m = mask; m; m &= m - 1) {
      const int lane = __builtin_ctz(m);
      const std::byte* p = at[lane] + e * spec.element_bytes;
      if (spec.element_bytes == 16) {
        w.lanes<Word128>(d)[lane] = read_as<Word128>(p);
      } else {
        write_register(w, d, lane, spec.register_bytes, read_element(p, spec));
      }
    }
  }
}

void store_checked(Warp& w, const Instr& in, LaneMask mask) {
  const auto& spec = *static_cast<const MemorySpec*>(in.extra);
  std::byte* at[kLanes];
  place_lanes(w, in, spec.where, spec.what, mask, at);
  // Lane by lane, so that of two lanes writing one address the higher wins with its whole vector.
  for (LaneMask m = mask; m; m &= m - 1) {
    const int lane = __builtin_ctz(m);
    for (int e = 0; e < in.count; ++e) {
      const Ref v = in.list ? in.list[e] : in.src[1];
      std::byte* p = at[lane] + e * spec.element_bytes;
      if (spec.element_bytes == 16) {
        std::memcpy(p, &w.lanes<Word128>(v)[lane], 16);
      } else {
        write_element(p, read_register(w, v, lane, spec.register_bytes), spec.element_bytes);
      }
    }
  }
  if (spec.where.space != Space::Local && spec.where.space != Space::Param)
    ++w.block->grid->memory_changes;
}

}  // namespace emu::exec
