// SPDX-License-Identifier: MIT
// mov: copies of any type, packing of {a, b, ...} into a wider register and unpacking, and
// predicates. Addresses of symbols and special registers are lanes like any other once the Binder
// has resolved them.
#include <algorithm>

#include "bind/elementwise.hpp"

namespace emu::exec {
namespace {

using ptx::Operand;
using ptx::Type;

struct Copy {
  static constexpr bool kCheap = true;
  template <class T>
  T operator()(T a) const {
    return a;
  }
};

void copy_predicate(Warp& w, const Instr& in, LaneMask mask) {
  w.set_predicate(in.dst, mask, w.predicate(in.src[0]) ^ static_cast<LaneMask>(in.imm));
}

// A part of 8 bits lies in a 16-bit lane.
template <int kPartBits>
using PartLane = LaneOf<kPartBits / 8>;
template <int kPartBits>
constexpr std::uint64_t kPartMask = kPartBits == 64 ? ~std::uint64_t{0}
                                                    : (std::uint64_t{1} << kPartBits % 64) - 1;

// Element 0 is the lowest part.
template <class W, int kPartBits>
void pack(Warp& w, const Instr& in, LaneMask mask) {
  constexpr int kParts = static_cast<int>(sizeof(W)) * 8 / kPartBits;
  W* const d = w.lanes<W>(in.dst);
  const PartLane<kPartBits>* part[kParts];
  for (int k = 0; k < kParts; ++k) part[k] = w.lanes<PartLane<kPartBits>>(in.list[k]);
  for_lanes(mask, [&](int i) {
    W value = 0;
    for (int k = 0; k < kParts; ++k) {
      value = static_cast<W>(value | static_cast<W>(part[k][i] & kPartMask<kPartBits>)
                                         << (k * kPartBits));
    }
    d[i] = value;
  });
}

// A sink has a slot of its own, so every part is written.
template <class W, int kPartBits>
void unpack(Warp& w, const Instr& in, LaneMask mask) {
  constexpr int kParts = static_cast<int>(sizeof(W)) * 8 / kPartBits;
  const W* const a = w.lanes<W>(in.src[0]);
  for (int k = 0; k < kParts; ++k) {
    PartLane<kPartBits>* const d = w.lanes<PartLane<kPartBits>>(in.list[k]);
    for_lanes(mask, [&](int i) {
      d[i] = static_cast<PartLane<kPartBits>>(a[i] >> (k * kPartBits) & kPartMask<kPartBits>);
    });
  }
}

void pack128(Warp& w, const Instr& in, LaneMask mask) {
  Bits128* const d = w.lanes<Bits128>(in.dst);
  const std::uint64_t* const lo = w.lanes<std::uint64_t>(in.list[0]);
  const std::uint64_t* const hi = w.lanes<std::uint64_t>(in.list[1]);
  for_lanes(mask, [&](int i) { d[i] = {lo[i], hi[i]}; });
}

void unpack128(Warp& w, const Instr& in, LaneMask mask) {
  const Bits128* const a = w.lanes<Bits128>(in.src[0]);
  std::uint64_t* const lo = w.lanes<std::uint64_t>(in.list[0]);
  std::uint64_t* const hi = w.lanes<std::uint64_t>(in.list[1]);
  for_lanes(mask, [&](int i) {
    lo[i] = a[i].lo;
    hi[i] = a[i].hi;
  });
}

struct Forms {
  std::uint32_t bytes;  // of the wide side
  std::size_t parts;
  Type part;
  Handler pack, unpack;
};

constexpr Forms kForms[] = {
    {2, 2, Type::B8, &pack<std::uint16_t, 8>, &unpack<std::uint16_t, 8>},
    {4, 2, Type::B16, &pack<std::uint32_t, 16>, &unpack<std::uint32_t, 16>},
    {4, 4, Type::B8, &pack<std::uint32_t, 8>, &unpack<std::uint32_t, 8>},
    {8, 2, Type::B32, &pack<std::uint64_t, 32>, &unpack<std::uint64_t, 32>},
    {8, 4, Type::B16, &pack<std::uint64_t, 16>, &unpack<std::uint64_t, 16>},
    {16, 2, Type::B64, &pack128, &unpack128},
};

void bind_vector(Binder& b, Instr& out, bool packs) {
  const std::vector<Operand>& parts = b.operand(packs ? 1 : 0).parts;
  const auto form = std::find_if(std::begin(kForms), std::end(kForms), [&](const Forms& f) {
    return f.bytes == ptx::size_of(b.type()) && f.parts == parts.size();
  });
  if (form == std::end(kForms)) b.unsupported("this many elements do not fill this type");
  Ref* const list = b.new_list(parts.size());
  for (std::size_t k = 0; k < parts.size(); ++k) {
    list[k] = packs ? b.source(parts[k], form->part) : b.dest(parts[k]);
  }
  out.list = list;
  out.count = static_cast<std::uint16_t>(parts.size());
  if (packs) {
    out.fn = form->pack;
    out.dst = b.dest(std::size_t{0});
  } else {
    out.fn = form->unpack;
    out.src[0] = b.source(std::size_t{1}, b.type());
  }
}

}  // namespace

void bind_mov(Binder& b, Instr& out) {
  const Type type = b.type();
  if (b.operand_count() != 2) b.unsupported("needs two operands");
  if (type == Type::Pred) {
    const auto [a, flip] = bind_predicate(b, b.operand(1));
    out.fn = &copy_predicate;
    out.dst = b.dest(std::size_t{0});
    out.src[0] = a;
    out.imm = flip;
    return;
  }
  const bool to_vector = b.operand(0).kind == Operand::Kind::Vector;
  const bool from_vector = b.operand(1).kind == Operand::Kind::Vector;
  if (to_vector && from_vector) b.unsupported("only one side may be a vector");
  if (to_vector || from_vector) {
    bind_vector(b, out, from_vector);
    return;
  }
  bind_lanewise(
      b, out,
      pick_width<2, 4, 8, 16>(type, []<class T>() -> Handler { return &unary<T, T, Copy>; }),
      {type});
}

}  // namespace emu::exec
