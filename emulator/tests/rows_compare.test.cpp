// SPDX-License-Identifier: MIT
// Comparison and selection (PTX 9.7.6): set, setp, selp, slct over all types, relations and boolean
// combinations.
#include "tests/numbers.hpp"
#include "tests/ptx_lanes.hpp"

namespace emu::tests {
namespace {

using U16 = std::uint16_t;
using U32 = std::uint32_t;
using U64 = std::uint64_t;

// The relation of a name on two numbers; the unordered forms hold for NaN.
bool relate(const std::string& op, double a, double b) {
  const bool nan = std::isnan(a) || std::isnan(b);
  if (op == "num") return !nan;
  if (op == "nan") return nan;
  const bool unordered = op.size() == 3;
  if (nan) return unordered;
  const std::string base = op.substr(0, 2);
  if (base == "eq") return a == b;
  if (base == "ne") return a != b;
  if (base == "lt") return a < b;
  if (base == "le") return a <= b;
  if (base == "gt") return a > b;
  return a >= b;
}
template <class T>
bool relate_int(const std::string& op, T a, T b) {
  if (op == "eq") return a == b;
  if (op == "ne") return a != b;
  if (op == "lt" || op == "lo") return a < b;
  if (op == "le" || op == "ls") return a <= b;
  if (op == "gt" || op == "hi") return a > b;
  return a >= b;
}
const std::vector<std::string> kFloatOps{"eq",  "ne",  "lt",  "le",  "gt",  "ge",  "equ",
                                         "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
const std::vector<std::string> kIntOps{"eq", "ne", "lt", "le", "gt", "ge"};

// One source type: its name, operand columns and relation.
template <class S>
struct Source {
  std::string type;
  std::vector<std::string> ops;
  std::vector<S> a, b;
  bool (*holds)(const std::string&, S, S);
};

template <class S, class T>
Source<S> integers(const std::string& type, std::vector<std::string> ops) {
  const auto v = edges<S>(4);
  const auto [a, b] = cross(v, v);
  return {type, std::move(ops), a, b, [](const std::string& op, S x, S y) {
            return relate_int(op, static_cast<T>(x), static_cast<T>(y));
          }};
}
template <class S>
Source<S> floats(const std::string& type, const std::vector<S>& v,
                 bool (*holds)(const std::string&, S, S)) {
  const auto [a, b] = cross(v, v);
  return {type, kFloatOps, a, b, holds};
}

template <class F>
void for_sources(F&& f) {
  f(integers<U16, U16>("b16", {"eq", "ne"}));
  f(integers<U32, U32>("b32", {"eq", "ne"}));
  f(integers<U64, U64>("b64", {"eq", "ne"}));
  std::vector<std::string> with_unsigned = kIntOps;
  for (const char* op : {"lo", "ls", "hi", "hs"}) with_unsigned.push_back(op);
  f(integers<U16, U16>("u16", with_unsigned));
  f(integers<U32, U32>("u32", with_unsigned));
  f(integers<U64, U64>("u64", with_unsigned));
  f(integers<U16, std::int16_t>("s16", kIntOps));
  f(integers<U32, std::int32_t>("s32", kIntOps));
  f(integers<U64, std::int64_t>("s64", kIntOps));
  std::vector<float> few;
  for (std::size_t i = 0; i < float_edges().size(); i += 2)
    few.push_back(float_edges()[i]), few.push_back(-few.back());
  f(floats<float>("f32", few,
                  [](const std::string& op, float x, float y) { return relate(op, x, y); }));
  f(floats<float>("ftz.f32", few, [](const std::string& op, float x, float y) {
    return relate(op, flushed(x), flushed(y));
  }));
  f(floats<double>("f64", double_edges(),
                   [](const std::string& op, double x, double y) { return relate(op, x, y); }));
  f(floats<U16>("f16", half_edges(kFp16), [](const std::string& op, U16 x, U16 y) {
    return relate(op, value_of(x, kFp16), value_of(y, kFp16));
  }));
  f(floats<U16>("bf16", half_edges(kBf16), [](const std::string& op, U16 x, U16 y) {
    return relate(op, value_of(x, kBf16), value_of(y, kBf16));
  }));
}

std::vector<U32> packed(const std::vector<U16>& v, std::size_t shift) {
  std::vector<U32> r;
  for (std::size_t i = 0; i < v.size(); ++i)
    r.push_back(v[i] | static_cast<U32>(v[(i + shift) % v.size()]) << 16);
  return r;
}
bool boolean(const std::string& op, bool t, bool c) {
  return op == "and" ? t && c : op == "or" ? t || c : t != c;
}

}  // namespace

ROW_TEST(setp, "compares every type; q is the complement; both are combined with c") {
  for_sources([]<class S>(const Source<S>& s) {
    std::vector<bool> c;
    for (std::size_t i = 0; i < s.a.size(); ++i) c.push_back(i % 3 == 0);
    for (const auto& op : s.ops) {
      expect<bool>(
          "setp." + op + "." + s.type + " %d, %a, %b;", [&](S x, S y) { return s.holds(op, x, y); },
          s.a, s.b);
      for (const std::string combine : {"and", "or", "xor"}) {
        if (op != s.ops.front() && op != s.ops.back()) continue;
        const std::string text = "setp." + op + "." + combine + "." + s.type;
        const auto [p, q] = lanes2<bool, bool>(text + " %d|%q, %a, %b, %c;", s.a, s.b, c);
        const auto negated = lanes<bool>(text + " %d, %a, %b, !%c;", s.a, s.b, c);
        std::vector<bool> want_p, want_q, want_negated;
        for (std::size_t i = 0; i < s.a.size(); ++i) {
          const bool t = s.holds(op, s.a[i], s.b[i]);
          want_p.push_back(boolean(combine, t, c[i]));
          want_q.push_back(boolean(combine, !t, c[i]));
          want_negated.push_back(boolean(combine, t, !c[i]));
        }
        same(text + " p", p, want_p, s.a, s.b);
        same(text + " q", q, want_q, s.a, s.b);
        same(text + " !c", negated, want_negated, s.a, s.b);
      }
    }
  });
  // Packed: p of the low halves, q of the high halves.
  for (const HalfFormat& f : {kFp16, kBf16}) {
    const auto [a, b] = cross(half_edges(f), half_edges(f));
    const auto a2 = packed(a, 5), b2 = packed(b, 7);
    for (const auto& op : kFloatOps) {
      const std::string text = "setp." + op + (f.brain ? ".bf16x2" : ".f16x2");
      const auto [p, q] = lanes2<bool, bool>(text + " %d|%q, %a, %b;", a2, b2);
      std::vector<bool> low, high;
      for (std::size_t i = 0; i < a2.size(); ++i) {
        low.push_back(
            relate(op, value_of(static_cast<U16>(a2[i]), f), value_of(static_cast<U16>(b2[i]), f)));
        high.push_back(relate(op, value_of(static_cast<U16>(a2[i] >> 16), f),
                              value_of(static_cast<U16>(b2[i] >> 16), f)));
      }
      same(text + " p", p, low, a2, b2);
      same(text + " q", q, high, a2, b2);
    }
  }
}

ROW_TEST(set, "writes all ones, or 1.0 for a float result") {
  for_sources([]<class S>(const Source<S>& s) {
    const bool ftz = s.type.starts_with("ftz.");
    const std::string source = ftz ? s.type.substr(4) : s.type;
    const bool half = source == "f16" || source == "bf16";
    for (const auto& op : s.ops) {
      const std::string head = "set." + op + (ftz ? ".ftz" : "");
      for (const char* to : {".u32.", ".s32."})
        expect<U32>(
            head + to + source + " %d, %a, %b;",
            [&](S x, S y) { return s.holds(op, x, y) ? 0xffffffffu : 0u; }, s.a, s.b);
      if (!half)
        expect<float>(
            head + ".f32." + source + " %d, %a, %b;",
            [&](S x, S y) { return s.holds(op, x, y) ? 1.0f : 0.0f; }, s.a, s.b);
    }
    const std::string head =
        "set." + s.ops.front() + ".xor" + (ftz ? ".ftz" : "") + ".u32." + source;
    std::vector<bool> c;
    for (std::size_t i = 0; i < s.a.size(); ++i) c.push_back(i % 3 == 0);
    expect<U32>(
        head + " %d, %a, %b, %c;",
        [&](S x, S y, bool z) { return s.holds(s.ops.front(), x, y) != z ? 0xffffffffu : 0u; }, s.a,
        s.b, c);
  });
}

ROW_TEST(set, "of halves writes 1.0 as a half, and of packed ones both") {
  for (const HalfFormat& f : {kFp16, kBf16}) {
    const auto [a, b] = cross(half_edges(f), half_edges(f));
    const std::string t = f.brain ? "bf16" : "f16";
    const U16 one = f.brain ? 0x3f80 : 0x3c00;
    expect<U16>(
        "set.lt." + t + "." + t + " %d, %a, %b;",
        [&](U16 x, U16 y) { return relate("lt", value_of(x, f), value_of(y, f)) ? one : U16{0}; },
        a, b);
    expect<U16>(
        "set.geu.u16." + t + " %d, %a, %b;",
        [&](U16 x, U16 y) {
          return relate("geu", value_of(x, f), value_of(y, f)) ? U16{0xffff} : U16{0};
        },
        a, b);
    expect<U16>(
        "set.geu.s16." + t + " %d, %a, %b;",
        [&](U16 x, U16 y) {
          return relate("geu", value_of(x, f), value_of(y, f)) ? U16{0xffff} : U16{0};
        },
        a, b);
    const auto a2 = packed(a, 5), b2 = packed(b, 7);
    const auto both = [&](U32 x, U32 y, U32 yes) {
      const auto part = [&](int k) {
        return relate("ne", value_of(static_cast<U16>(x >> k), f),
                      value_of(static_cast<U16>(y >> k), f))
                   ? yes
                   : 0;
      };
      return part(0) | part(16) << 16;
    };
    expect<U32>(
        "set.ne." + t + "x2." + t + "x2 %d, %a, %b;", [&](U32 x, U32 y) { return both(x, y, one); },
        a2, b2);
    expect<U32>(
        "set.ne.u32." + t + "x2 %d, %a, %b;", [&](U32 x, U32 y) { return both(x, y, 0xffff); }, a2,
        b2);
  }
}

ROW_TEST(selp, "chooses by a predicate, also a negated one") {
  const std::vector<bool> p{true, false, false, true, true};
  const auto test = [&]<class T>(const std::string& types, const std::vector<T>& a,
                                 const std::vector<T>& b) {
    std::string rest = types;
    while (!rest.empty()) {
      const auto end = rest.find(' ');
      const std::string t = rest.substr(0, end);
      rest = end == std::string::npos ? "" : rest.substr(end + 1);
      expect<T>(
          "selp." + t + " %d, %a, %b, %c;", [](T x, T y, bool c) { return c ? x : y; }, a, b, p);
    }
  };
  test("b16 u16 s16", std::vector<U16>{1, 2, 3, 4, 0xffff}, std::vector<U16>{5, 6, 7, 8, 9});
  test("b32 u32 s32", std::vector<U32>{1, 2, 3, 4, ~0u}, std::vector<U32>{5, 6, 7, 8, 9});
  test("b64 u64 s64", std::vector<U64>{1, 2, 3, 4, ~0ull}, std::vector<U64>{5, 6, 7, 8, 9});
  test("f32", std::vector<float>{1, 2, 3, -0.0f, NAN}, std::vector<float>{5, 6, 7, 8, 9});
  test("f64", std::vector<double>{1, 2, 3, -0.0, NAN}, std::vector<double>{5, 6, 7, 8, 9});
  expect<U32>(
      "selp.b32 %d, %a, 7, !%b;", [](U32 x, bool c) { return c ? 7u : x; },
      std::vector<U32>{1, 2, 3, 4, 5}, p);
}

ROW_TEST(slct, "chooses a where c is at least zero; NaN chooses b") {
  const auto test = []<class T>(const std::string& type, T a, T b) {
    const auto ci = edges<std::int32_t>();
    const std::vector<T> ai(ci.size(), a), bi(ci.size(), b);
    expect<T>(
        "slct." + type + ".s32 %d, %a, %b, %c;",
        [](T x, T y, std::int32_t c) { return c >= 0 ? x : y; }, ai, bi, ci);
    const auto cf = float_edges();
    const std::vector<T> af(cf.size(), a), bf(cf.size(), b);
    expect<T>(
        "slct." + type + ".f32 %d, %a, %b, %c;", [](T x, T y, float c) { return c >= 0 ? x : y; },
        af, bf, cf);
    expect<T>(
        "slct.ftz." + type + ".f32 %d, %a, %b, %c;",
        [](T x, T y, float c) { return flushed(c) >= 0 ? x : y; }, af, bf, cf);
  };
  for (const char* t : {"b16", "u16", "s16"}) test(t, U16{1}, U16{2});
  for (const char* t : {"b32", "u32", "s32"}) test(t, U32{1}, U32{2});
  for (const char* t : {"b64", "u64", "s64"}) test(t, U64{1}, U64{2});
  test("f32", 1.5f, -2.5f);
  test("f64", 1.5, -2.5);
}

}  // namespace emu::tests
