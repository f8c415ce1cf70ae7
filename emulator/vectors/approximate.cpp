// SPDX-License-Identifier: MIT
// What PTX 9.0 says about the error of each approximate function, and the comparison under it.
#include "vectors/approximate.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "vectors/replay.hpp"

namespace emu::vectors {
namespace {

struct Bound {
  double relative = 0, absolute = 0, ulp = 0;
  double from = 0, to = INFINITY;           // of |operand|; no error is documented outside
  double wider_to = 0, wider_absolute = 0;  // a second range with a larger absolute error
  int mantissa = 0;                         // bits of the result that count, if not all
  const char* words = "";
};

using Exact = double (*)(double, double);
struct Function {
  const char* name;  // how the text begins
  Exact exact;
  Bound bound;
};

double reciprocal(double x, double) { return 1 / x; }
double inverse_root(double x, double) { return 1 / std::sqrt(x); }
double root(double x, double) { return std::sqrt(x); }
double sine(double x, double) { return std::sin(x); }
double cosine(double x, double) { return std::cos(x); }
double logarithm(double x, double) { return std::log2(x); }
double power(double x, double) { return std::exp2(x); }
double tangent(double x, double) { return std::tanh(x); }
double quotient(double x, double y) { return x / y; }

constexpr double kPi = 3.14159265358979323846;
// The notes of each instruction in PTX ISA 9.7.3 and 9.7.4 give these numbers, but for the functions
// on f64: rsqrt.approx.f64 has none, and rcp and rsqrt.approx.ftz.f64 only say that they work on the
// upper word of the number, 20 bits of its fraction.
constexpr Bound kWave{.absolute = 0x1.6a09e6p-21,
                      .to = 2 * kPi,
                      .wider_to = 100 * kPi,
                      .wider_absolute = 0x1.3b2c47p-15,
                      .words = "2^-20.5 absolute to 2 pi, 2^-14.7 to 100 pi"};
constexpr Bound kUpperWord{
    .ulp = 2, .mantissa = 20, .words = "no number; 2 units of 20 bits taken"};

// The first name that fits counts.
const Function kFunctions[] = {
    {"ex2.approx.f32", power, {.ulp = 2, .words = "2 ulp"}},
    {"ex2.approx.ftz.f32", power, {.ulp = 2, .words = "2 ulp"}},
    {"ex2.approx.f16", power, {.relative = 0x1.125fbep-10, .words = "2^-9.9 relative"}},
    {"ex2.approx.ftz.bf16", power, {.relative = 0x1p-7, .words = "2^-7 relative"}},
    {"lg2", logarithm, {.relative = 0x1p-22, .words = "2^-22 relative, absolute from 0.5 to 2"}},
    {"sin", sine, kWave},
    {"cos", cosine, kWave},
    {"tanh.approx.f32", tangent, {.relative = 0x1p-11, .words = "2^-11 relative"}},
    {"tanh.approx.f16", tangent, {.absolute = 0x1.02513p-11, .words = "2^-10.987 absolute"}},
    {"tanh.approx.bf16", tangent, {.absolute = 0x1p-8, .words = "2^-8 absolute"}},
    {"rcp.approx.f32", reciprocal, {.ulp = 1, .words = "1 ulp"}},
    {"rcp.approx.ftz.f32", reciprocal, {.ulp = 1, .words = "1 ulp"}},
    {"rcp.approx.ftz.f64", reciprocal, kUpperWord},
    {"rsqrt.approx.f32", inverse_root, {.relative = 0x1.125fbep-23, .words = "2^-22.9 relative"}},
    {"rsqrt.approx.ftz.f32",
     inverse_root,
     {.relative = 0x1.125fbep-23, .words = "2^-22.9 relative"}},
    {"rsqrt.approx.f64", inverse_root, {.ulp = 2, .words = "no number; 2 ulp taken"}},
    {"rsqrt.approx.ftz.f64", inverse_root, kUpperWord},
    {"sqrt", root, {.relative = 0x1p-23, .words = "2^-23 relative"}},
    {"div.approx",
     quotient,
     {.ulp = 2, .from = 0x1p-126, .to = 0x1p126, .words = "2 ulp, divisors 2^-126 to 2^126"}},
    {"div.full", quotient, {.ulp = 2, .words = "2 ulp"}},
};

const Function& function_of(const Variant& v) {
  for (const Function& f : kFunctions) {
    const std::string_view name = f.name;
    if (v.text.starts_with(name) &&
        (name.find('.') == name.npos || !std::isdigit(v.text[name.size()])))
      return f;
  }
  throw std::runtime_error("no error is known for " + v.text);
}

// A number format by its bits.
struct Format {
  int bits, mantissa;
};
Format format_of(Family family) {
  switch (family) {
    case Family::F16:
    case Family::F16x2:
      return {16, 10};
    case Family::BF16:
    case Family::BF16x2:
      return {16, 7};
    case Family::F64:
      return {64, 52};
    default:
      return {32, 23};
  }
}
double value_of(std::uint64_t bits, Format f) {
  if (f.bits == 64) return std::bit_cast<double>(bits);
  const auto low = static_cast<std::uint32_t>(bits);
  if (f.bits == 32) return static_cast<double>(std::bit_cast<float>(low));
  if (f.mantissa == 7) return static_cast<double>(std::bit_cast<float>(low << 16));
  const int e = static_cast<int>(low >> 10 & 31), m = static_cast<int>(low & 1023);
  const double x = e == 31  ? (m ? NAN : INFINITY)
                   : e == 0 ? std::ldexp(m, -24)
                            : std::ldexp(1024 + m, e - 25);
  return (low & 0x8000) ? -x : x;
}
int least_exponent(Format f) { return f.bits == 64 ? -1022 : f.mantissa == 10 ? -14 : -126; }
// The distance from a number of the format to the next, at this magnitude.
double unit_at(double x, Format f) {
  const int e = x == 0 || !std::isfinite(x) ? least_exponent(f) : std::ilogb(x);
  return std::ldexp(1.0, std::max(e, least_exponent(f)) - f.mantissa);
}
double allowed(const Bound& b, double x, double exact, Format f, bool logarithm_near_one) {
  const double absolute = std::fabs(x) > b.to ? b.wider_absolute : b.absolute;
  double tolerance = absolute + b.relative * std::fabs(exact) + b.ulp * unit_at(exact, f);
  if (logarithm_near_one) tolerance = std::max(tolerance, b.relative);
  // A bound on the function is met by the nearest number of the format at best.
  tolerance = std::max(tolerance, unit_at(exact, f) / 2);
  // Results below the normal numbers lose bits.
  if (std::fabs(exact) < std::ldexp(1.0, least_exponent(f)))
    tolerance = std::max(tolerance, 2 * unit_at(0, f));
  return tolerance;
}

struct Judge {
  const Variant& v;
  const Function& function;
  Format format;
  bool flushes;
  Judgement result;

  double operand(std::size_t k, std::size_t lane, int half) const {
    std::uint64_t bits = element(v.operands, v.lanes, v.input, k, lane);
    if (half) bits >>= 16;
    if (function.bound.mantissa == 20) bits &= 0xffffffff00000000u;
    const double x = value_of(format.bits == 16 ? bits & 0xffff : bits, format);
    const bool tiny = x != 0 && std::fabs(x) < std::ldexp(1.0, least_exponent(format));
    return flushes && tiny ? std::copysign(0.0, x) : x;
  }
  void complain(std::size_t lane, double x, double exact, double emulator, double gpu) {
    if (result.problem.size() > 600) return;
    char line[256];
    std::snprintf(line, sizeof line, "\n    lane %zu, operand %a: exactly %a, emulator %a, GPU %a",
                  lane, x, exact, emulator, gpu);
    result.problem += line;
  }
  void one(std::size_t lane, int half, std::uint64_t emulated, std::uint64_t recorded) {
    const double x = operand(0, lane, half), y = v.operands.size() > 1 ? operand(1, lane, half) : 0;
    const double exact = function.exact(x, y), e = value_of(emulated, format),
                 g = value_of(recorded, format);
    const double bounded = std::fabs(v.operands.size() > 1 ? y : x);
    const Bound& bound = function.bound;
    const bool finite = std::isfinite(bounded),
               large = bounded > std::max(bound.to, bound.wider_to);
    if (finite && bounded != 0 && bounded < bound.from) return;
    if (finite && large && function.exact != quotient) return;
    const double largest =
        std::ldexp(2 - std::ldexp(1.0, -format.mantissa), -least_exponent(format) + 1);
    // Of divisors beyond the range the manual says what they give.
    if (!std::isfinite(exact) || exact == 0 || std::fabs(exact) > largest || (finite && large)) {
      // The manual's tables of special values: the same for both.
      const bool same = emulated == recorded || (std::isnan(e) && std::isnan(g));
      if (!same) complain(lane, x, exact, e, g);
      return;
    }
    const double least = std::ldexp(1.0, least_exponent(format));
    if (flushes && std::fabs(exact) < least) {  // to zero, or just not
      if (!(std::fabs(e) <= least && std::fabs(g) <= least)) complain(lane, x, exact, e, g);
      return;
    }
    const bool near_one = function.exact == logarithm && x > 0.5 && x < 2;
    Format counted = format;
    if (bound.mantissa != 0) counted.mantissa = bound.mantissa;
    const double tolerance = allowed(bound, bounded, exact, counted, near_one);
    const double emulator = std::fabs(e - exact) / tolerance,
                 gpu = std::fabs(g - exact) / tolerance;
    // Near a zero of the function an absolute error is any number of the format's units.
    const bool absolute = bound.wider_to > 0 || near_one;
    const double unit = unit_at(absolute ? 1 : exact, counted);
    result.compared += 1;
    result.equal += emulated == recorded;
    result.difference_ulp = std::max(result.difference_ulp, std::fabs(e - g) / unit);
    result.emulator_ulp = std::max(result.emulator_ulp, std::fabs(e - exact) / unit);
    result.gpu_ulp = std::max(result.gpu_ulp, std::fabs(g - exact) / unit);
    result.emulator_error = std::max(result.emulator_error, emulator);
    result.gpu_error = std::max(result.gpu_error, gpu);
    if (!(emulator <= 1) || !(gpu <= 1)) complain(lane, x, exact, e, g);
  }
};

}  // namespace

Judgement judge(const Variant& v, const std::vector<std::byte>& emulated,
                const std::vector<std::byte>& recorded) {
  if (emulated.size() != recorded.size()) return {"another number of bytes"};
  const bool pair = v.results[0] == Family::F16x2 || v.results[0] == Family::BF16x2;
  Judge judge{v, function_of(v), format_of(v.results[0]), v.text.find(".ftz") != v.text.npos, {}};
  for (std::size_t lane = 0; lane < v.lanes; ++lane) {
    const auto e = element(v.results, v.lanes, emulated, 0, lane),
               g = element(v.results, v.lanes, recorded, 0, lane);
    if (judge.format.bits != 16) {
      judge.one(lane, 0, e, g);
      continue;
    }
    judge.one(lane, 0, e & 0xffff, g & 0xffff);
    if (pair) judge.one(lane, 1, e >> 16, g >> 16);
  }
  return judge.result;
}

std::string allowed_error(const Variant& variant) { return function_of(variant).bound.words; }

std::string error_table(const Recording& recording) {
  std::string s =
      "| instruction | PTX allows | values | equal to the bit | emulator from exact (ulp) | GPU "
      "from "
      "exact (ulp) | emulator from GPU (ulp) | emulator's error, part of the allowed | GPU's |\n"
      "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";
  for (const Variant& v : catalogue()) {
    const auto found = recording.by_kernel.find(v.fingerprint());
    if (v.rule != Rule::Approximate || found == recording.by_kernel.end()) continue;
    const Judgement j = judge(v, run_emulated(v), found->second.output);
    char line[256];
    std::snprintf(line, sizeof line,
                  "| `%s` | %s | %zu | %.1f %% | %.2f | %.2f | %.2f | %.2f | %.2f |\n",
                  v.text.substr(0, v.text.find(' ')).c_str(), allowed_error(v).c_str(), j.compared,
                  100.0 * static_cast<double>(j.equal) /
                      static_cast<double>(std::max<std::size_t>(j.compared, 1)),
                  j.emulator_ulp, j.gpu_ulp, j.difference_ulp, j.emulator_error, j.gpu_error);
    s += line;
  }
  return s;
}

}  // namespace emu::vectors
