// SPDX-License-Identifier: MIT
// What floating-point instructions must give, worked out independently of the emulator: exact
// results as a sum of two doubles, rounded by comparing neighbours; half formats by scaling.
//
// Long because its references are templates.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace emu::tests {

enum class Mode { Nearest, Zero, Down, Up };

inline constexpr std::uint32_t kNaN32 = 0x7fffffffu;
inline float f32(std::uint32_t bits) { return std::bit_cast<float>(bits); }
inline double f64(std::uint64_t bits) { return std::bit_cast<double>(bits); }
inline std::uint32_t bits32(float x) { return std::bit_cast<std::uint32_t>(x); }

// An exact number hi + lo with |lo| at most half a unit in the last place of hi.
struct Exact {
  double hi = 0, lo = 0;
};
inline Exact sum(double a, double b) {
  const double s = a + b, t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}
inline Exact product(double a, double b) {
  const double p = a * b;
  return {p, std::fma(a, b, -p)};
}
// Not exact, but hi is, or lo has the sign of what is missing.
inline Exact quotient(double a, double b) {
  const double q = a / b;
  return {q, std::fma(-q, b, a) / b};
}
inline Exact root(double a) {
  const double s = std::sqrt(a);
  return {s, s == 0 ? 0 : std::fma(-s, s, a) / (2 * s)};
}

// hi + lo rounded to T (float or double); hi + lo must be finite.
template <class T>
T rounded(Exact x, Mode mode) {
  if constexpr (sizeof(T) == 8) {
    if (mode == Mode::Nearest) return x.hi;
  }
  constexpr T kInf = std::numeric_limits<T>::infinity();
  const auto above = [&](T f) { return static_cast<double>(f) - x.hi > x.lo; };  // f > hi + lo
  const auto equal = [&](T f) { return static_cast<double>(f) - x.hi == x.lo; };
  T down = static_cast<T>(x.hi);
  if (std::isinf(down) && down > 0) down = std::numeric_limits<T>::max();
  while (above(down)) down = std::nextafter(down, -kInf);
  if (equal(down)) return down == 0 ? static_cast<T>(x.hi) : down;
  const T up = std::nextafter(down, kInf);
  if (equal(up)) return up;
  switch (mode) {
    case Mode::Down:
      return down;
    case Mode::Up:
      return up == 0 ? -T{0} : up;
    case Mode::Zero:
      return x.hi > 0 || (x.hi == 0 && x.lo > 0) ? down : (up == 0 ? -T{0} : up);
    case Mode::Nearest:
      break;
  }
  // The midpoint of two floats is a double; past the largest float the next would be 2^128.
  const double high = std::isinf(up) ? 0x1p128 : static_cast<double>(up);
  const double low = std::isinf(down) ? -0x1p128 : static_cast<double>(down);
  const double middle = low / 2 + high / 2, off = (x.hi - middle) + x.lo;
  const bool take_up =
      off > 0 || (off == 0 && (std::bit_cast<std::uint32_t>(static_cast<float>(down)) & 1) != 0);
  const T r = take_up ? up : down;
  return r == 0 ? std::copysign(r, static_cast<T>(x.hi)) : r;
}

inline float flushed(float x) {
  return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x;
}
inline float clamped(float x) { return !(x > 0) ? 0.0f : x > 1 ? 1.0f : x; }
// The one NaN that f32 arithmetic delivers.
inline float one_nan(float x) { return std::isnan(x) ? f32(kNaN32) : x; }

inline std::vector<float> float_edges() {
  std::vector<float> v;
  for (std::uint32_t b :
       {0x00000000u, 0x00000001u, 0x00000003u, 0x00400000u, 0x007fffffu, 0x00800000u, 0x00800001u,
        0x01000000u, 0x33800000u, 0x33800001u, 0x34000000u, 0x3f7fffffu, 0x3f800000u, 0x3f800001u,
        0x3f800003u, 0x40490fdbu, 0x3eaaaaabu, 0x4b800000u, 0x4b800001u, 0x4effffffu, 0x5f000000u,
        0x7e800000u, 0x7f000000u, 0x7f7fffffu, 0x7f800000u, 0x7f800001u, 0x7fc00000u, 0x7fc12345u})
    v.push_back(f32(b)), v.push_back(f32(b | 0x80000000u));
  std::uint32_t state = 12345;
  for (int i = 0; i < 12; ++i) {
    state = state * 1664525u + 1013904223u;
    v.push_back(f32((state >> 4 & 0x87ffffffu) | 0x38000000u));
  }
  return v;
}
inline std::vector<double> double_edges() {
  std::vector<double> v;
  for (std::uint64_t b :
       {0x0ull, 0x1ull, 0x000fffffffffffffull, 0x0010000000000000ull, 0x3ca0000000000000ull,
        0x3cb0000000000000ull, 0x3fefffffffffffffull, 0x3ff0000000000000ull, 0x3ff0000000000001ull,
        0x400921fb54442d18ull, 0x3fd5555555555555ull, 0x4340000000000000ull, 0x43e0000000000000ull,
        0x7fd0000000000000ull, 0x7fefffffffffffffull, 0x7ff0000000000000ull, 0x7ff0000000000001ull,
        0x7ff8000000000000ull})
    v.push_back(f64(b)), v.push_back(f64(b | 0x8000000000000000ull));
  std::uint64_t state = 99;
  for (int i = 0; i < 8; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    v.push_back(f64((state & 0x803fffffffffffffull) | 0x3fc0000000000000ull));
  }
  return v;
}

// ---- f16 and bf16

struct HalfFormat {
  int precision, least_exponent;  // significant bits, exponent of the smallest normal number
  double largest;
  bool brain;
};
inline constexpr HalfFormat kFp16{11, -14, 65504.0, false};
inline constexpr HalfFormat kBf16{8, -126, 0x1.fep127, true};

inline double value_of(std::uint16_t h, const HalfFormat& f) {
  if (f.brain) return static_cast<double>(f32(static_cast<std::uint32_t>(h) << 16));
  const int e = h >> 10 & 31, m = h & 1023;
  const double x = e == 31  ? (m ? NAN : INFINITY)
                   : e == 0 ? std::ldexp(m, -24)
                            : std::ldexp(1024 + m, e - 25);
  return (h & 0x8000) != 0 ? -x : x;
}
inline std::uint16_t bits_of(double x, const HalfFormat& f) {  // x is a number of the format
  if (std::isnan(x)) return 0x7fff;
  if (f.brain) return static_cast<std::uint16_t>(bits32(static_cast<float>(x)) >> 16);
  const std::uint16_t sign = std::signbit(x) ? 0x8000 : 0;
  const double a = std::fabs(x);
  if (std::isinf(a)) return sign | 0x7c00;
  if (a < 0x1p-14) return static_cast<std::uint16_t>(sign | static_cast<int>(a * 0x1p24));
  const int e = std::ilogb(a);
  return static_cast<std::uint16_t>(sign | ((e + 15) << 10) |
                                    (static_cast<int>(std::ldexp(a, 10 - e)) - 1024));
}
// hi + lo to the format. A double with a sticky last bit rounds as the exact number does.
inline double to_half(Exact x, const HalfFormat& f, Mode mode = Mode::Nearest) {
  if (!std::isfinite(x.hi) || (x.hi == 0 && x.lo == 0)) return x.hi;
  if (x.lo != 0 && (std::bit_cast<std::uint64_t>(x.hi) & 1) == 0)
    x.hi = std::nextafter(x.hi, x.lo > 0 ? INFINITY : -INFINITY);
  const double unit =
      std::ldexp(1.0, std::max(std::ilogb(x.hi), f.least_exponent) - f.precision + 1);
  const double q = x.hi / unit;
  double n = mode == Mode::Down ? std::floor(q) : mode == Mode::Up ? std::ceil(q) : std::trunc(q);
  if (mode == Mode::Nearest) {
    n = std::floor(q);
    const double part = q - n;
    if (part > 0.5 || (part == 0.5 && std::fmod(n, 2) != 0)) n += 1;
  }
  const double r = std::copysign(n * unit, x.hi);
  if (std::fabs(r) <= f.largest) return r;
  const bool to_infinity =
      mode == Mode::Nearest || (mode == Mode::Up && r > 0) || (mode == Mode::Down && r < 0);
  return std::copysign(to_infinity ? INFINITY : f.largest, r);
}

inline std::vector<std::uint16_t> half_edges(const HalfFormat& f) {
  std::vector<std::uint16_t> v;
  const std::vector<std::uint16_t> fp16{0,      1,      0x3ff,  0x400,  0x401,  0x1000,
                                        0x3555, 0x3bff, 0x3c00, 0x3c01, 0x4248, 0x5800,
                                        0x6800, 0x7bff, 0x7c00, 0x7c01, 0x7e00},
      bf16{0,      1,      0x7f,   0x80,   0x81,   0x2000, 0x3eab, 0x3f7f, 0x3f80,
           0x3f81, 0x4049, 0x4b80, 0x5f00, 0x7f7f, 0x7f80, 0x7f81, 0x7fc0};
  for (const auto b : f.brain ? bf16 : fp16) v.push_back(b), v.push_back(b | 0x8000);
  std::uint32_t state = 77;
  for (int i = 0; i < 8; ++i) {
    state = state * 1664525u + 1013904223u;
    v.push_back(static_cast<std::uint16_t>(state >> 16));
  }
  return v;
}

}  // namespace emu::tests
