// SPDX-License-Identifier: MIT
// Floating point (PTX 9.7.3) but for the approximate functions: every rounding, .ftz and .sat.
#include "tests/numbers.hpp"
#include "tests/ptx_lanes.hpp"

namespace emu::tests {
namespace {

const std::pair<const char*, Mode> kModes[] = {
    {".rn", Mode::Nearest}, {".rz", Mode::Zero}, {".rm", Mode::Down}, {".rp", Mode::Up}};

bool finite(double x) { return std::isfinite(x); }
// Zero results of sums: exact cancellation gives +0, or -0 when rounding down; equal signs keep
// theirs.
template <class T>
T zero_sum(T a, T b, Mode mode) {
  if (a == 0 && b == 0 && std::signbit(a) == std::signbit(b)) return a;
  return mode == Mode::Down ? -T{0} : T{0};
}

template <class T>
T add_in(T a, T b, Mode mode) {
  if (!finite(a) || !finite(b)) return a + b;
  const Exact x = sum(a, b);
  if (x.hi == 0 && x.lo == 0) return zero_sum(a, b, mode);
  return rounded<T>(x, mode);
}
template <class T>
T mul_in(T a, T b, Mode mode) {
  if (!finite(a) || !finite(b) || a == 0 || b == 0) return a * b;
  const T r = rounded<T>(product(a, b), mode);
  return r == 0 ? std::copysign(r, std::copysign(T{1}, a) * std::copysign(T{1}, b)) : r;
}
template <class T>
T fma_in(T a, T b, T c, Mode mode) {
  if (!finite(a) || !finite(b) || !finite(c)) return std::fma(a, b, c);
  const double p = static_cast<double>(a) * b;  // exact for floats
  if (p == 0) return c == 0 ? zero_sum(static_cast<T>(std::copysign(0.0, p)), c, mode) : c;
  const Exact x = sum(p, c);
  if (x.hi == 0 && x.lo == 0) return zero_sum(static_cast<T>(p), c, mode);
  return rounded<T>(x, mode);
}
template <class T>
T div_in(T a, T b, Mode mode) {
  if (!finite(a) || !finite(b) || a == 0 || b == 0) return a / b;
  const T r = rounded<T>(quotient(a, b), mode);
  return r == 0 ? std::copysign(r, std::copysign(T{1}, a) * std::copysign(T{1}, b)) : r;
}
template <class T>
T sqrt_in(T a, Mode mode) {
  if (!finite(a) || a <= 0) return a == 0 ? a : std::sqrt(a);
  return rounded<T>(root(a), mode);
}

// The smallest normal number may come from rounding up a subnormal one, which .ftz flushes unless 24
// bits round it up too: those few are left out of the .ftz runs; semantics/float.test.cpp and
// the recorded vectors have them.
bool at_edge(float r) { return std::fabs(r) == 0x1p-126f; }

// f64 results where the two-double arithmetic of this file is exact: no overflow and no underflow
// on the way.
bool tame(double r) {
  return std::isnan(r) || r == 0 || std::isinf(r) ||
         (std::fabs(r) > 1e-280 && std::fabs(r) < 1e300);
}
double nan_as_one(double x) { return std::isnan(x) ? f64(0x7ff8000000000000) : x; }

// f32 in every rounding, with and without .ftz and .sat. want(operands..., mode) is the result
// without them.
template <class F, class... S>
void test_f32(const std::string& op, bool sat_allowed, F&& want, const std::string& operands,
              const std::vector<S>&... in) {
  for (const auto& [name, mode] : kModes)
    for (const std::string ftz : {"", ".ftz"})
      for (const std::string sat : {"", ".sat"}) {
        if (!sat.empty() && !sat_allowed) continue;
        const std::string text = op + name + ftz + sat + ".f32 " + operands;
        const auto got = lanes<float>(text, in...);
        std::vector<float> right = got;
        for (std::size_t i = 0; i < got.size(); ++i) {
          float r = ftz.empty() ? want(in[i]..., mode) : want(flushed(in[i])..., mode);
          if (!ftz.empty() && at_edge(r)) continue;
          if (!ftz.empty()) r = flushed(r);
          right[i] = sat.empty() ? one_nan(r) : clamped(r);
        }
        same(text, got, right, in...);
      }
}
// `exact`: the operation is exact in two doubles wherever it is finite, as a sum is.
template <class F, class... S>
void test_f64(const std::string& op, bool exact, F&& want, const std::string& operands,
              const std::vector<S>&... in) {
  for (const auto& [name, mode] : kModes) {
    const std::string text = op + name + ".f64 " + operands;
    auto got = lanes<double>(text, in...);
    auto right = got;
    for (std::size_t i = 0; i < got.size(); ++i) {
      got[i] = nan_as_one(got[i]);
      const double r = want(in[i]..., mode);
      const bool small =
          ((std::fpclassify(in[i]) == FP_SUBNORMAL) || ...) || (r == 0 && ((in[i] != 0) && ...));
      const bool sure = mode == Mode::Nearest || (tame(r) && !std::isinf(r) && (exact || !small));
      right[i] = sure ? nan_as_one(r) : got[i];
    }
    same(text, got, right, in...);
  }
}

// f(name, test) for each class of testp.
template <class T, class F>
void classes(F&& f) {
  f("finite", [](T x) { return std::isfinite(x); });
  f("infinite", [](T x) { return std::isinf(x); });
  f("number", [](T x) { return !std::isnan(x); });
  f("notanumber", [](T x) { return std::isnan(x); });
  f("normal", [](T x) { return std::fpclassify(x) == FP_NORMAL || x == 0; });
  f("subnormal", [](T x) { return std::fpclassify(x) == FP_SUBNORMAL; });
}

}  // namespace

ROW_TEST(testp, "tells the class of a number; zero is normal") {
  const auto f = float_edges();
  const auto d = double_edges();
  classes<float>([&](const std::string& c, auto want) {
    expect<bool>("testp." + c + ".f32 %d, %a;", want, f);
  });
  classes<double>([&](const std::string& c, auto want) {
    expect<bool>("testp." + c + ".f64 %d, %a;", want, d);
  });
}

ROW_TEST(copysign, "gives b the sign of a") {
  expect_all<float>(
      "copysign.f32 %d, %a, %b;",
      [](float a, float b) { return f32((bits32(a) & 0x80000000u) | (bits32(b) & 0x7fffffffu)); },
      float_edges(), float_edges());
  expect_all<double>(
      "copysign.f64 %d, %a, %b;",
      [](double a, double b) {
        return f64((std::bit_cast<std::uint64_t>(a) & (1ull << 63)) |
                   (std::bit_cast<std::uint64_t>(b) & ~(1ull << 63)));
      },
      double_edges(), double_edges());
}

ROW_TEST(add_float, "rounds the exact sum in every mode") {
  const auto [a, b] = cross(float_edges(), float_edges());
  test_f32(
      "add", true, [](float x, float y, Mode m) { return add_in(x, y, m); }, "%d, %a, %b;", a, b);
  const auto [c, d] = cross(double_edges(), double_edges());
  test_f64(
      "add", true, [](double x, double y, Mode m) { return add_in(x, y, m); }, "%d, %a, %b;", c, d);
  expect<float>(
      "add.f32 %d, %a, 0f3F800000;", [](float x) { return one_nan(x + 1.0f); }, float_edges());
  expect<double>(
      "add.f64 %d, %a, 0d3FF8000000000000;", [](double x) { return x + 1.5; },
      std::vector<double>{0, -1.5, 1e17});
}

ROW_TEST(sub_float, "rounds the exact difference in every mode") {
  const auto [a, b] = cross(float_edges(), float_edges());
  test_f32(
      "sub", true, [](float x, float y, Mode m) { return add_in(x, -y, m); }, "%d, %a, %b;", a, b);
  const auto [c, d] = cross(double_edges(), double_edges());
  test_f64(
      "sub", true, [](double x, double y, Mode m) { return add_in(x, -y, m); }, "%d, %a, %b;", c,
      d);
}

ROW_TEST(mul_float, "rounds the exact product in every mode") {
  const auto [a, b] = cross(float_edges(), float_edges());
  test_f32(
      "mul", true, [](float x, float y, Mode m) { return mul_in(x, y, m); }, "%d, %a, %b;", a, b);
  const auto [c, d] = cross(double_edges(), double_edges());
  test_f64(
      "mul", false, [](double x, double y, Mode m) { return mul_in(x, y, m); }, "%d, %a, %b;", c,
      d);
}

namespace {
void test_fma(const std::string& op) {
  std::vector<float> few;
  for (std::size_t i = 0; i < float_edges().size(); i += 3) few.push_back(float_edges()[i]);
  const auto [a, b, c] = cross(few, few, few);
  test_f32(
      op, true, [](float x, float y, float z, Mode m) { return fma_in(x, y, z, m); },
      "%d, %a, %b, %c;", a, b, c);
  // Whole numbers of 53 bits whose product has 106: the last bit of the sum is decided by the part
  // that one rounding keeps.
  const std::vector<double> x{0x1.0000000000001p0, 0x1.fffffffffffffp0, 3.0, -0x1.5555555555555p0},
      y{0x1.0000000000001p0, 0x1.0000000000003p0, 1.0 / 3, 0x1.8p0},
      z{-1.0, 1.0, 0x1p-53, -0x1p-52, 0x1p-105, 2.5};
  const auto [p, q, r] = cross(x, y, z);
  for (const auto& [name, mode] : kModes) {
    const auto got = lanes<double>(op + name + ".f64 %d, %a, %b, %c;", p, q, r);
    std::vector<double> want;
    for (std::size_t i = 0; i < p.size(); ++i) {
      // a * b + c = p.hi + (p.lo + c): exact as three doubles, two of which are added exactly.
      const Exact prod = product(p[i], q[i]), s = sum(prod.hi, r[i]), t = sum(s.lo, prod.lo),
                  u = sum(s.hi, t.hi);
      const double nearest = std::fma(p[i], q[i], r[i]);
      const double rest = ((u.hi - nearest) + u.lo) + t.lo;
      want.push_back(mode == Mode::Nearest || rest == 0 ? nearest
                                                        : rounded<double>({nearest, rest}, mode));
    }
    same(op + name + ".f64", got, want, p, q, r);
  }
}
}  // namespace

ROW_TEST(fma_float, "rounds a * b + c once") { test_fma("fma"); }
ROW_TEST(mad_float, "is fma") { test_fma("mad"); }

ROW_TEST(div_float,
         "rounds the exact quotient in every mode; .full and .approx stay within 2 units") {
  const auto [a, b] = cross(float_edges(), float_edges());
  test_f32(
      "div", false, [](float x, float y, Mode m) { return div_in(x, y, m); }, "%d, %a, %b;", a, b);
  const auto [c, d] = cross(double_edges(), double_edges());
  test_f64(
      "div", false, [](double x, double y, Mode m) { return div_in(x, y, m); }, "%d, %a, %b;", c,
      d);
  // Divisors from 2^-126 to 2^126, as the manual states the error.
  std::vector<float> x, y;
  for (float u : float_edges())
    for (float v : float_edges())
      if (std::isfinite(u) && std::fabs(v) >= 0x1p-126f && std::fabs(v) <= 0x1p126f &&
          std::fabs(u / v) >= 0x1p-125f && std::isfinite(u / v))
        x.push_back(u), y.push_back(v);
  for (const char* form :
       {"div.approx.f32", "div.approx.ftz.f32", "div.full.f32", "div.full.ftz.f32"}) {
    const auto got = lanes<float>(std::string(form) + " %d, %a, %b;", x, y);
    int wrong = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double exact = static_cast<double>(x[i]) / y[i];
      if (std::string(form).find("ftz") != std::string::npos &&
          (flushed(x[i]) != x[i] || flushed(y[i]) != y[i]))
        continue;
      wrong += std::fabs(got[i] - exact) > std::fabs(exact) * 0x1p-22;
    }
    INFO(form);
    CHECK(wrong == 0);
  }
}

namespace {
// Which NaN comes out of a NaN is left open.
template <class F>
void expect_numbers(const std::string& text, F&& want) {
  auto got = lanes<double>(text, double_edges());
  std::vector<double> right;
  for (std::size_t i = 0; i < got.size(); ++i) {
    got[i] = nan_as_one(got[i]);
    right.push_back(nan_as_one(want(double_edges()[i])));
  }
  same(text, got, right, double_edges());
}
}  // namespace

ROW_TEST(abs_float, "clears the sign; .ftz flushes") {
  expect<float>(
      "abs.f32 %d, %a;", [](float x) { return std::isnan(x) ? one_nan(x) : std::fabs(x); },
      float_edges());
  expect<float>(
      "abs.ftz.f32 %d, %a;",
      [](float x) { return std::isnan(x) ? one_nan(x) : std::fabs(flushed(x)); }, float_edges());
  expect_numbers("abs.f64 %d, %a;", [](double x) { return std::fabs(x); });
}

ROW_TEST(neg_float, "turns the sign; .ftz flushes") {
  expect<float>(
      "neg.f32 %d, %a;", [](float x) { return std::isnan(x) ? one_nan(x) : -x; }, float_edges());
  expect<float>(
      "neg.ftz.f32 %d, %a;", [](float x) { return std::isnan(x) ? one_nan(x) : -flushed(x); },
      float_edges());
  expect_numbers("neg.f64 %d, %a;", [](double x) { return -x; });
}

namespace {
// The manual: a number beats a NaN unless .NaN is given, and +0 > -0.
template <class T>
T pick(T a, T b, bool max, bool nan, bool xorsign) {
  const bool sign = std::signbit(a) != std::signbit(b);
  if (std::isnan(a) || std::isnan(b)) {
    if (nan || (std::isnan(a) && std::isnan(b))) return std::numeric_limits<T>::quiet_NaN();
  }
  if (xorsign) a = std::fabs(a), b = std::fabs(b);
  T r = std::isnan(a) ? b : a;
  if (!std::isnan(a) && !std::isnan(b)) {
    const bool a_below = a < b || (a == b && std::signbit(a) && !std::signbit(b));
    r = a_below == max ? b : a;
  }
  return xorsign ? std::copysign(r, sign ? T{-1} : T{1}) : r;
}
void test_min_max(const std::string& op, bool max) {
  for (const std::string ftz : {"", ".ftz"})
    for (const std::string nan : {"", ".NaN"})
      for (const std::string sign : {"", ".xorsign.abs"})
        expect_all<float>(
            op + ftz + nan + sign + ".f32 %d, %a, %b;",
            [&](float a, float b) {
              if (!ftz.empty()) a = flushed(a), b = flushed(b);
              return one_nan(pick(a, b, max, !nan.empty(), !sign.empty()));
            },
            float_edges(), float_edges());
  const auto [a, b] = cross(double_edges(), double_edges());
  auto got = lanes<double>(op + ".f64 %d, %a, %b;", a, b);
  std::vector<double> want;
  for (std::size_t i = 0; i < a.size(); ++i) {
    got[i] = nan_as_one(got[i]);
    want.push_back(nan_as_one(pick(a[i], b[i], max, false, false)));
  }
  same(op + ".f64", got, want, a, b);
  const std::vector<float> few{0.0f, -0.0f, 1.5f, -2.0f, NAN, INFINITY, -INFINITY, 3.0f};
  expect_all<float>(
      op + ".f32 %d, %a, %b, %c;",
      [&](float x, float y, float z) {
        return one_nan(pick(pick(x, y, max, false, false), z, max, false, false));
      },
      few, few, few);
}
}  // namespace

ROW_TEST(min_float, "takes the smaller; a number beats a NaN unless .NaN; -0 is below +0") {
  test_min_max("min", false);
}
ROW_TEST(max_float, "takes the larger; a number beats a NaN unless .NaN; -0 is below +0") {
  test_min_max("max", true);
}

ROW_TEST(rcp, "rounds 1 / a in every mode; .approx stays within a unit") {
  const auto v = float_edges();
  test_f32(
      "rcp", false, [](float x, Mode m) { return div_in(1.0f, x, m); }, "%d, %a;", v);
  test_f64(
      "rcp", false, [](double x, Mode m) { return div_in(1.0, x, m); }, "%d, %a;", double_edges());
  std::vector<float> x;
  for (float u : v)
    if (std::fabs(u) >= 0x1p-126f && std::fabs(u) <= 0x1p125f) x.push_back(u);
  const auto got = lanes<float>("rcp.approx.ftz.f32 %d, %a;", x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    INFO(x[i]);
    CHECK(std::fabs(got[i] * static_cast<double>(x[i]) - 1) <= 0x1p-23);
  }
  // The f64 form sees and gives the upper 32 bits: 20 bits of fraction.
  const std::vector<double> d{1.0, 3.0, -7.0, 1e100};
  const auto rough = lanes<double>("rcp.approx.ftz.f64 %d, %a;", d);
  for (std::size_t i = 0; i < d.size(); ++i) {
    CHECK(std::fabs(rough[i] * d[i] - 1) <= 0x1p-19);
    CHECK((std::bit_cast<std::uint64_t>(rough[i]) & 0xffffffffu) == 0);
  }
}

ROW_TEST(sqrt, "rounds the root in every mode; of a negative number it is NaN") {
  const auto v = float_edges();
  test_f32(
      "sqrt", false, [](float x, Mode m) { return sqrt_in(x, m); }, "%d, %a;", v);
  test_f64(
      "sqrt", false, [](double x, Mode m) { return sqrt_in(x, m); }, "%d, %a;", double_edges());
  std::vector<float> x;
  for (float u : v)
    if (u >= 0x1p-126f && std::isfinite(u)) x.push_back(u);
  for (const char* form : {"sqrt.approx.f32", "sqrt.approx.ftz.f32"}) {
    const auto got = lanes<float>(std::string(form) + " %d, %a;", x);
    for (std::size_t i = 0; i < x.size(); ++i)
      CHECK(std::fabs(got[i] - std::sqrt(static_cast<double>(x[i]))) <=
            0x1p-22 * std::sqrt(static_cast<double>(x[i])));
  }
}

}  // namespace emu::tests
