// SPDX-License-Identifier: MIT
// Binders of the half-precision instructions of PTX 9.7.4: f16, bf16, and two of them in a 32-bit
// word.
#include "bind/elementwise.hpp"
#include "semantics/half.hpp"
#include "semantics/minmax.hpp"

namespace emu::exec {
namespace {

using namespace semantics;
using ptx::Type;

using U16 = std::uint16_t;
using U32 = std::uint32_t;

inline constexpr std::uint8_t kFtz = 1, kSat = 2, kRelu = 4, kMax = 16, kNaN = 32, kXorSign = 64;

std::uint8_t flags_of(const Binder& b) {
  return static_cast<std::uint8_t>((b.has("ftz") ? kFtz : 0) | (b.has("sat") ? kSat : 0) |
                                   (b.has("relu") ? kRelu : 0) | (b.has("NaN") ? kNaN : 0) |
                                   (b.has("xorsign") ? kXorSign : 0));
}

// An operation on one half, applied to both halves of a word.
template <class Op>
struct Packed {
  Op op{};
  Packed() = default;
  explicit Packed(const Instr& in) : op(make_op<Op>(in)) {}
  template <class... A>
  U32 operator()(A... a) const {
    const U32 low = op(static_cast<U16>(a)...);
    const U32 high = op(static_cast<U16>(a >> 16)...);
    return low | high << 16;
  }
};

// The arithmetic operation Op under .ftz (f16 only), .sat and .relu.
template <class Op, class H>
struct Modified {
  Op op{};
  std::uint8_t flags = 0;
  Modified() = default;
  explicit Modified(const Instr& in) : flags(in.flags) {}

  U16 in_of(U16 x) const { return (flags & kFtz) != 0 ? flush_f16(x) : x; }
  U16 out_of(U16 r) const {
    if ((flags & kFtz) != 0) r = flush_f16(r);
    if ((flags & kSat) != 0) r = saturate_half<H>(r);
    if ((flags & kRelu) != 0) r = relu_half<H>(r);
    return r;
  }
  template <class... A>
  U16 operator()(A... a) const {
    const U16 r = op(in_of(a)...);
    if constexpr (requires { Op::wide(a...); }) {  // sums are exact where they are small
      const bool edge = (flags & kFtz) != 0 && (r & 0x7fffu) == 0x0400u;
      if (edge && tiny_f16(Op::wide(in_of(a)...))) return out_of(r & 0x8000u);
    }
    return out_of(r);
  }
};

template <class Op, class H>
struct MinMaxHalf {
  MinMaxRule rule;
  MinMaxHalf() = default;
  explicit MinMaxHalf(const Instr& in)
      : rule{(in.flags & kMax) != 0, (in.flags & kNaN) != 0, (in.flags & kXorSign) != 0,
             (in.flags & kFtz) != 0} {}
  U16 operator()(U16 a, U16 b) const { return Op::min_max(a, b, rule); }
};

// abs and neg: the NaN comes out canonical, as from the arithmetic they are on the hardware.
template <class Bits, bool kNeg>
struct SignOp {
  bool ftz = false;
  SignOp() = default;
  explicit SignOp(const Instr& in) : ftz((in.flags & kFtz) != 0) {}
  U16 operator()(U16 a) const {
    if (Bits::is_nan(a)) return kNanHalf;
    const U16 x = ftz ? Bits::flush(a) : a;
    return kNeg ? static_cast<U16>(x ^ 0x8000u) : static_cast<U16>(x & 0x7fffu);
  }
};

// The handlers of one operation for the four types: A for f16, B for bf16.
template <class A, class B>
Handler unary_half(Type t) {
  switch (t) {
    case Type::F16:
      return &unary<U16, U16, A>;
    case Type::F16x2:
      return &unary<U32, U32, Packed<A>>;
    case Type::BF16:
      return &unary<U16, U16, B>;
    case Type::BF16x2:
      return &unary<U32, U32, Packed<B>>;
    default:
      return nullptr;
  }
}
template <class A, class B>
Handler binary_half(Type t) {
  switch (t) {
    case Type::F16:
      return &binary<U16, U16, U16, A>;
    case Type::F16x2:
      return &binary<U32, U32, U32, Packed<A>>;
    case Type::BF16:
      return &binary<U16, U16, U16, B>;
    case Type::BF16x2:
      return &binary<U32, U32, U32, Packed<B>>;
    default:
      return nullptr;
  }
}
template <class A, class B>
Handler ternary_half(Type t) {
  switch (t) {
    case Type::F16:
      return &ternary<U16, U16, U16, U16, A>;
    case Type::F16x2:
      return &ternary<U32, U32, U32, U32, Packed<A>>;
    case Type::BF16:
      return &ternary<U16, U16, U16, U16, B>;
    case Type::BF16x2:
      return &ternary<U32, U32, U32, U32, Packed<B>>;
    default:
      return nullptr;
  }
}

bool is_bf16(Type t) { return t == Type::BF16 || t == Type::BF16x2; }

void check_bf16(const Binder& b) {
  if (is_bf16(b.type()) && b.has("ftz")) b.unsupported(".ftz goes with f16 only");
  if (is_bf16(b.type()) && b.has("sat")) b.unsupported(".sat goes with f16 only");
}

template <template <class> class Op>
void bind_binary_half(Binder& b, Instr& out) {
  check_bf16(b);
  const Type t = b.type();
  out.flags = flags_of(b);
  const Handler fn = out.flags == 0
                         ? binary_half<Op<F16>, Op<BF16>>(t)
                         : binary_half<Modified<Op<F16>, F16>, Modified<Op<BF16>, BF16>>(t);
  bind_lanewise(b, out, fn, {t, t});
}

template <bool kNeg>
void bind_sign(Binder& b, Instr& out) {
  check_bf16(b);
  out.flags = flags_of(b);
  bind_lanewise(b, out, unary_half<SignOp<BitsF16, kNeg>, SignOp<BitsBF16, kNeg>>(b.type()),
                {b.type()});
}

void bind_min_max(Binder& b, Instr& out, bool max) {
  check_bf16(b);
  out.flags = static_cast<std::uint8_t>(flags_of(b) | (max ? kMax : 0));
  bind_lanewise(b, out, binary_half<MinMaxHalf<BitsF16, F16>, MinMaxHalf<BitsBF16, BF16>>(b.type()),
                {b.type(), b.type()});
}

}  // namespace

void bind_add_half(Binder& b, Instr& out) { bind_binary_half<AddHalf>(b, out); }
void bind_sub_half(Binder& b, Instr& out) { bind_binary_half<SubHalf>(b, out); }
void bind_mul_half(Binder& b, Instr& out) { bind_binary_half<MulHalf>(b, out); }

void bind_fma_half(Binder& b, Instr& out) {
  check_bf16(b);
  if (b.has("oob"))
    b.unsupported(".oob belongs to tensor copies, which the emulator does not have");
  const Type t = b.type();
  out.flags = flags_of(b);
  const Handler fn =
      out.flags == 0 ? ternary_half<FmaHalf<F16>, FmaHalf<BF16>>(t)
                     : ternary_half<Modified<FmaHalf<F16>, F16>, Modified<FmaHalf<BF16>, BF16>>(t);
  bind_lanewise(b, out, fn, {t, t, t});
}

void bind_neg_half(Binder& b, Instr& out) { bind_sign<true>(b, out); }
void bind_abs_half(Binder& b, Instr& out) { bind_sign<false>(b, out); }
void bind_min_half(Binder& b, Instr& out) { bind_min_max(b, out, false); }
void bind_max_half(Binder& b, Instr& out) { bind_min_max(b, out, true); }

}  // namespace emu::exec
