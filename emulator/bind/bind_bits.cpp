// SPDX-License-Identifier: MIT
// Instructions that count, find and move bits (PTX 9.7.1, second half), prmt, and
// the video instructions nvcc still emits.
#include "bind/elementwise.hpp"
#include "semantics/bits.hpp"
#include "semantics/video.hpp"

namespace emu::exec {
namespace {

using ptx::Type;
namespace sem = semantics;
using U32 = std::uint32_t;

// One of .clamp and .wrap must be there.
bool wraps(Binder& b) {
  if (b.has("clamp") == b.has("wrap")) b.unsupported("needs one of .clamp, .wrap");
  return b.has("wrap");
}

}  // namespace

void bind_popc(Binder& b, Instr& out) {
  const Handler fn = pick_width<4, 8>(
      b.type(), []<class T>() -> Handler { return &unary<U32, T, Cheap<&sem::popc<T>>>; });
  bind_lanewise(b, out, fn, {b.type()});
}

void bind_clz(Binder& b, Instr& out) {
  const Handler fn = pick_width<4, 8>(
      b.type(), []<class T>() -> Handler { return &unary<U32, T, Cheap<&sem::clz<T>>>; });
  bind_lanewise(b, out, fn, {b.type()});
}

void bind_bfind(Binder& b, Instr& out) {
  const bool shift = b.has("shiftamt");
  const Handler fn =
      pick<Type::U32, Type::S32, Type::U64, Type::S64>(b.type(), [shift]<Type K>() -> Handler {
        using T = Native<K>;
        return shift ? &unary<U32, T, Cheap<&sem::bfind_shift<T>>>
                     : &unary<U32, T, Cheap<&sem::bfind<T>>>;
      });
  bind_lanewise(b, out, fn, {b.type()});
}

void bind_fns(Binder& b, Instr& out) {
  bind_lanewise(b, out, &ternary<U32, U32, U32, std::int32_t, Call<&sem::fns>>,
                {Type::B32, Type::U32, Type::S32});
}

void bind_brev(Binder& b, Instr& out) {
  const Handler fn = pick_width<4, 8>(
      b.type(), []<class T>() -> Handler { return &unary<T, T, Cheap<&sem::brev<T>>>; });
  bind_lanewise(b, out, fn, {b.type()});
}

void bind_bfe(Binder& b, Instr& out) {
  const Type type = b.type();
  const Handler fn =
      pick<Type::U32, Type::S32, Type::U64, Type::S64>(type, []<Type K>() -> Handler {
        using T = Native<K>;
        return &ternary<T, T, U32, U32, Cheap<&sem::bfe<T>>>;
      });
  bind_lanewise(b, out, fn, {type, Type::U32, Type::U32});
}

void bind_bfi(Binder& b, Instr& out) {
  const Type type = b.type();
  const Handler fn = pick_width<4, 8>(type, []<class T>() -> Handler {
    return &quaternary<T, T, T, U32, U32, Cheap<&sem::bfi<T>>>;
  });
  bind_lanewise(b, out, fn, {type, type, Type::U32, Type::U32});
}

void bind_szext(Binder& b, Instr& out) {
  const bool wrap = wraps(b);
  const Handler fn = pick<Type::U32, Type::S32>(b.type(), [wrap]<Type K>() -> Handler {
    using T = Native<K>;
    return wrap ? &binary<T, T, U32, Cheap<&sem::szext<T, true>>>
                : &binary<T, T, U32, Cheap<&sem::szext<T, false>>>;
  });
  bind_lanewise(b, out, fn, {b.type(), Type::U32});
}

void bind_bmsk(Binder& b, Instr& out) {
  const Handler fn = wraps(b) ? &binary<U32, U32, U32, Cheap<&sem::bmsk<true>>>
                              : &binary<U32, U32, U32, Cheap<&sem::bmsk<false>>>;
  bind_lanewise(b, out, fn, {Type::U32, Type::U32});
}

void bind_shf(Binder& b, Instr& out) {
  if (b.has("l") == b.has("r")) b.unsupported("needs one of .l, .r");
  const bool wrap = wraps(b);
  const auto of = []<auto kFunction>()->Handler {
    return &ternary<U32, U32, U32, U32, Cheap<kFunction>>;
  };
  Handler fn = nullptr;
  if (b.has("l")) {
    fn = wrap ? of.operator()<&sem::shf_l<true>>() : of.operator()<&sem::shf_l<false>>();
  } else {
    fn = wrap ? of.operator()<&sem::shf_r<true>>() : of.operator()<&sem::shf_r<false>>();
  }
  bind_lanewise(b, out, fn, {Type::B32, Type::B32, Type::U32});
}

namespace {

// prmt whose selector is an immediate: where the four bytes come from is the same in all lanes and
// worked out once.
template <bool kSigns>
class PrmtBy {
 public:
  static constexpr bool kCheap = true;
  explicit PrmtBy(const Instr& in) {
    for (int i = 0; i < 4; ++i) {
      const U32 pick = static_cast<U32>(in.imm) >> (4 * i);
      from_b_[i] = (pick & 4) != 0 ? ~0u : 0;
      shift_[i] = 8 * (pick & 3);
      sign_[i] = (pick & 8) != 0 ? 0xffu : 0;
    }
  }
  U32 operator()(U32 a, U32 b) const {
    U32 d = 0;
    for (int i = 0; i < 4; ++i) {
      U32 byte = ((a & ~from_b_[i]) | (b & from_b_[i])) >> shift_[i] & 0xff;
      if constexpr (kSigns) byte = (byte & ~sign_[i]) | ((0u - (byte >> 7)) & sign_[i]);
      d |= byte << (8 * i);
    }
    return d;
  }

 private:
  U32 from_b_[4], shift_[4], sign_[4];
};

struct PrmtForm {
  std::string_view name;
  Handler fn;
};

template <sem::PrmtMode kMode>
constexpr Handler prmt_of = &ternary<U32, U32, U32, U32, Call<&sem::prmt_mode<kMode>>>;

}  // namespace

void bind_prmt(Binder& b, Instr& out) {
  static constexpr PrmtForm kForms[] = {
      {"f4e", prmt_of<sem::PrmtMode::F4e>}, {"b4e", prmt_of<sem::PrmtMode::B4e>},
      {"rc8", prmt_of<sem::PrmtMode::Rc8>}, {"ecl", prmt_of<sem::PrmtMode::Ecl>},
      {"ecr", prmt_of<sem::PrmtMode::Ecr>}, {"rc16", prmt_of<sem::PrmtMode::Rc16>},
  };
  for (const PrmtForm& form : kForms) {
    if (!b.has(form.name)) continue;
    bind_lanewise(b, out, form.fn, {Type::B32, Type::B32, Type::B32});
    return;
  }
  if (b.operand_count() == 4 && b.operand(3).kind == ptx::Operand::Kind::Immediate) {
    out.imm = static_cast<std::int64_t>(b.operand(3).bits & 0xffff);
    const bool signs = (out.imm & 0x8888) != 0;
    bind_lanewise(
        b, out,
        signs ? &binary<U32, U32, U32, PrmtBy<true>> : &binary<U32, U32, U32, PrmtBy<false>>,
        {Type::B32, Type::B32});
    return;
  }
  bind_lanewise(b, out, &ternary<U32, U32, U32, U32, Call<&sem::prmt>>,
                {Type::B32, Type::B32, Type::B32});
}

// ---- vabsdiff2, vabsdiff4

namespace {

template <int kBits>
class AbsDiff {
 public:
  static constexpr bool kCheap = true;
  explicit AbsDiff(const Instr& in) : rule_(*static_cast<const sem::AbsDiffRule*>(in.extra)) {}
  U32 operator()(U32 a, U32 b, U32 c) const { return sem::absdiff_parts<kBits>(a, b, c, rule_); }

 private:
  const sem::AbsDiffRule rule_;
};

template <int kBits>
void bind_absdiff(Binder& b, Instr& out) {
  if (b.ins().types.size() != 3) b.unsupported("needs three types");
  if (b.has("sat") && b.has("add")) b.unsupported(".sat and .add do not go together");
  sem::AbsDiffRule rule;
  rule.signed_d = ptx::is_signed(b.type(0));
  rule.signed_a = ptx::is_signed(b.type(1));
  rule.signed_b = ptx::is_signed(b.type(2));
  rule.saturate = b.has("sat");
  rule.accumulate = b.has("add");
  out.extra = b.make(rule);
  bind_lanewise(b, out, &ternary<U32, U32, U32, U32, AbsDiff<kBits>>,
                {Type::B32, Type::B32, Type::B32});
}

}  // namespace

void bind_vabsdiff2(Binder& b, Instr& out) { bind_absdiff<16>(b, out); }
void bind_vabsdiff4(Binder& b, Instr& out) { bind_absdiff<8>(b, out); }

}  // namespace emu::exec
