// SPDX-License-Identifier: MIT
// Half precision (PTX 9.7.4): f16 and bf16, single and packed, against exact results rounded by
// scaling.
#include "tests/numbers.hpp"
#include "tests/ptx_lanes.hpp"

namespace emu::tests {
namespace {

using U16 = std::uint16_t;
using U32 = std::uint32_t;

double flushed_half(double x, const HalfFormat& f) {
  return x != 0 && std::fabs(x) < std::ldexp(1.0, f.least_exponent) ? std::copysign(0.0, x) : x;
}
HalfFormat without_end(HalfFormat f) {
  f.least_exponent -= 64;
  return f;
}
double clamped_half(double x) { return !(x > 0) ? 0.0 : x > 1 ? 1.0 : x; }

Exact add_exact(double a, double b) {
  if (!std::isfinite(a) || !std::isfinite(b)) return {a + b, 0};
  return sum(a, b);
}
Exact mul_exact(double a, double b) { return {a * b, 0}; }  // 22 or 16 bits: exact
Exact fma_exact(double a, double b, double c) {
  if (!std::isfinite(a) || !std::isfinite(b) || !std::isfinite(c)) return {a * b + c, 0};
  return sum(a * b, c);
}

// want(format, values...) gives the exact result; text is "add" + mods + type + operands.
template <class F, class... S>
void test(const std::string& op, const std::string& operands,
          const std::vector<std::string>& mods_f16, const std::vector<std::string>& mods_bf16,
          F&& want, const std::vector<S>&... indices) {
  for (const HalfFormat& f : {kFp16, kBf16}) {
    const std::string name = f.brain ? "bf16" : "f16";
    const auto edge = half_edges(f);
    for (const auto& mods : f.brain ? mods_bf16 : mods_f16) {
      const auto has = [&](const char* m) { return mods.find(m) != std::string::npos; };
      const auto one = [&](std::size_t i) {
        const auto load = [&](std::size_t k) {
          const double x = value_of(edge[k % edge.size()], f);
          return has("ftz") ? flushed_half(x, f) : x;
        };
        const Exact exact = want(load(indices[i])...);
        double r = to_half(exact, f);
        // Flushed is what is subnormal once rounded as if exponents had no end.
        if (has("ftz") && flushed_half(to_half(exact, without_end(f)), f) == 0)
          r = std::copysign(0.0, r);
        if (has("sat")) r = clamped_half(r);
        if (has("relu") && !std::isnan(r)) r = r > 0 ? r : 0.0;
        return bits_of(r, f);
      };
      const std::size_t n = std::get<0>(std::tie(indices...)).size();
      std::vector<U16> right;
      std::vector<U32> right2;
      for (std::size_t i = 0; i < n; ++i) right.push_back(one(i));
      // Packed: this element in the low half, the next one in the high half.
      for (std::size_t i = 0; i < n; ++i)
        right2.push_back(right[i] | static_cast<U32>(right[(i + 1) % n]) << 16);
      const auto single = [&](const auto& index) {
        std::vector<U16> v;
        for (const auto k : index) v.push_back(edge[k % edge.size()]);
        return v;
      };
      const auto packed = [&](const auto& index) {
        std::vector<U32> v;
        for (std::size_t i = 0; i < n; ++i)
          v.push_back(edge[index[i] % edge.size()] |
                      static_cast<U32>(edge[index[(i + 1) % n] % edge.size()]) << 16);
        return v;
      };
      const std::string text = op + mods + "." + name;
      same(text, lanes<U16>(text + " " + operands, single(indices)...), right, single(indices)...);
      same(text + "x2", lanes<U32>(text + "x2 " + operands, packed(indices)...), right2,
           packed(indices)...);
    }
  }
}

std::vector<std::size_t> numbers(std::size_t n) {
  std::vector<std::size_t> v;
  for (std::size_t i = 0; i < n; ++i) v.push_back(i);
  return v;
}
constexpr std::size_t kEdges = 42;  // of half_edges()

template <class F>
void test_binary(const std::string& op, F&& want) {
  const auto [a, b] = cross(numbers(kEdges), numbers(kEdges));
  test(op, "%d, %a, %b;", {"", ".rn", ".ftz", ".sat", ".rn.ftz.sat"}, {"", ".rn"}, want, a, b);
}

}  // namespace

ROW_TEST(add_half, "rounds the exact sum once") {
  CHECK(half_edges(kFp16).size() == kEdges);
  test_binary("add", [](double a, double b) { return add_exact(a, b); });
}
ROW_TEST(sub_half, "rounds the exact difference once") {
  test_binary("sub", [](double a, double b) { return add_exact(a, -b); });
}
ROW_TEST(mul_half, "rounds the exact product once") {
  test_binary("mul", [](double a, double b) { return mul_exact(a, b); });
}
ROW_TEST(fma_half, "rounds a * b + c once; .relu cuts negatives, NaN stays") {
  std::vector<std::size_t> some;
  for (std::size_t i = 0; i < kEdges; i += 3) some.push_back(i), some.push_back(i + 1);
  const auto [a, b, c] = cross(some, some, some);
  test(
      "fma.rn", "%d, %a, %b, %c;", {"", ".ftz", ".sat", ".ftz.sat", ".relu", ".ftz.relu"},
      {"", ".relu"}, [](double x, double y, double z) { return fma_exact(x, y, z); }, a, b, c);
}

ROW_TEST(neg_half, "turns the sign") {
  test(
      "neg", "%d, %a;", {"", ".ftz"}, {""},
      [](double a) {
        return Exact{-a, 0};
      },
      numbers(kEdges));
}
ROW_TEST(abs_half, "clears the sign") {
  test(
      "abs", "%d, %a;", {"", ".ftz"}, {""},
      [](double a) {
        return Exact{std::fabs(a), 0};
      },
      numbers(kEdges));
}

namespace {
double pick(double a, double b, bool max, bool nan, bool xorsign) {
  const bool sign = std::signbit(a) != std::signbit(b);
  if ((std::isnan(a) && std::isnan(b)) || (nan && (std::isnan(a) || std::isnan(b)))) return NAN;
  if (xorsign) a = std::fabs(a), b = std::fabs(b);
  double r = std::isnan(a) ? b : a;
  if (!std::isnan(a) && !std::isnan(b)) {
    const bool a_below = a < b || (a == b && std::signbit(a) && !std::signbit(b));
    r = a_below == max ? b : a;
  }
  return xorsign ? std::copysign(r, sign ? -1.0 : 1.0) : r;
}
void test_half_min_max(const std::string& op, bool max) {
  const auto [a, b] = cross(numbers(kEdges), numbers(kEdges));
  for (const bool nan : {false, true})
    for (const bool sign : {false, true}) {
      const std::string mods = std::string(nan ? ".NaN" : "") + (sign ? ".xorsign.abs" : "");
      test(
          op, "%d, %a, %b;", {mods, ".ftz" + mods}, {mods},
          [&](double x, double y) {
            return Exact{pick(x, y, max, nan, sign), 0};
          },
          a, b);
    }
}
}  // namespace

ROW_TEST(min_half, "takes the smaller; a number beats a NaN unless .NaN") {
  test_half_min_max("min", false);
}
ROW_TEST(max_half, "takes the larger; a number beats a NaN unless .NaN") {
  test_half_min_max("max", true);
}

}  // namespace emu::tests
