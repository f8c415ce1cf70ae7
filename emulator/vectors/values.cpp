// SPDX-License-Identifier: MIT
// Edge values, random values and how the operands of a variant are put together from them.
#include "vectors/values.hpp"

#include <bit>
#include <cstring>

#include "semantics/splitmix.hpp"

namespace emu::vectors {
namespace {

using U64s = std::vector<std::uint64_t>;

U64s integer_edges(int bits) {
  const std::uint64_t all = bits == 64 ? ~0ull : (1ull << bits) - 1, top = 1ull << (bits - 1);
  U64s v{0, 1, all, top, top - 1, 2, all - 1, top + 1, 3, 31, 32, 0x55, 0x80, 0x7f, 0xff, 16};
  for (int i = 4; i < bits - 1; i += bits / 8)
    for (const std::uint64_t x : {1ull << i, (1ull << i) - 1, (1ull << i) + 1, all - (1ull << i)})
      v.push_back(x);
  return v;
}

// The first 16 are the ones that all pairs are made of; each is followed by its negative.
U64s with_signs(const U64s& magnitudes, std::uint64_t sign) {
  U64s v;
  for (const std::uint64_t x : magnitudes) v.push_back(x), v.push_back(x | sign);
  return v;
}

U64s double_edges() {
  return with_signs({0,
                     0x3ff0000000000000,
                     0x7ff0000000000000,
                     0x7ff8000000012345,
                     1,
                     0x0010000000000000,
                     0x7fefffffffffffff,
                     0x3ff0000000000001,
                     0x000fffffffffffff,
                     0x7ff0000000000001,
                     0x0010000000000001,
                     0x3fefffffffffffff,
                     0x3fe0000000000000,
                     0x3fd5555555555555,
                     0x400921fb54442d18,
                     0x4330000000000000,
                     0x4330000000000001,
                     0x432fffffffffffff,
                     0x41dfffffffc00000,
                     0x41e0000000000000,
                     0x41efffffffe00000,
                     0x41f0000000000000,
                     0x43e0000000000000,
                     0x43dfffffffffffff,
                     0x43f0000000000000,
                     0x43efffffffffffff,
                     0x40e0000000000000,
                     0x40dfffc000000000,
                     0x40efffe000000000,
                     0x405fc00000000000,
                     0x4060000000000000,
                     0x406fe00000000000,
                     0x4004000000000000,
                     0x3ff8000000000000,
                     0x47efffffe0000000,
                     0x47efffffefffffff,
                     0x47effffff0000000,
                     0x47f0000000000000,
                     0x3810000000000000,
                     0x380fffffe0000000,
                     0x36a0000000000000,
                     0x3690000000000000,
                     0x3690000000000001,
                     0x3c90000000000000,
                     0x3ca0000000000001,
                     0x40effc0000000000,
                     0x40effe0000000000,
                     0x7fe0000000000000,
                     0x0020000000000000,
                     0x3ff0000010000000,
                     0x3ff0000010000001,
                     0x3ff0000030000000},
                    0x8000000000000000);
}

U64s float_edges(Family family) {
  switch (family) {
    case Family::F16:
      return with_signs(
          {0,     0x3c00, 0x7c00, 0x7e00, 1,      0x400,  0x7bff, 0x3c01, 0x3ff,  0x7c01,
           0x401, 0x3bff, 0x3800, 0x3555, 0x4248, 0x5800, 0x6400, 0x6800, 0x1000, 0x7fff,
           3,     0x200,  0x4000, 0x3e00, 0x4100, 0x57ff, 0x5bf8, 0x7800},
          0x8000);
    case Family::BF16:
      return with_signs(
          {0,    0x3f80, 0x7f80, 0x7fc0, 1,      0x80,   0x7f7f, 0x3f81, 0x7f,   0x7f81,
           0x81, 0x3f7f, 0x3f00, 0x3eab, 0x4049, 0x4300, 0x4b80, 0x5f00, 0x2000, 0x7fff,
           3,    0x40,   0x4000, 0x3fc0, 0x4020, 0x42ff, 0x437f, 0x7f00},
          0x8000);
    case Family::F64:
      return double_edges();
    default:
      return with_signs(
          {0,          0x3f800000, 0x7f800000, 0x7fc12345, 1,          0x00800000, 0x7f7fffff,
           0x3f800001, 0x007fffff, 0x7f800001, 0x00800001, 0x3f7fffff, 0x3f000000, 0x3eaaaaab,
           0x40490fdb, 0x4b000000, 0x4b000001, 0x4b7fffff, 0x4b800001, 0x4effffff, 0x4f000000,
           0x4f7fffff, 0x4f800000, 0x5effffff, 0x5f000000, 0x5f7fffff, 0x5f800000, 0x46fffe00,
           0x47000000, 0x477fff00, 0x42fe0000, 0x43000000, 0x437f0000, 0x3fc00000, 0x40200000,
           0x40600000, 0x33800000, 0x33800001, 0x34000000, 0x477fe000, 0x477fefff, 0x477ff000,
           0x387fc000, 0x38800000, 0x33000000, 0x33000001, 0x7f7f7fff, 0x7f7f8000, 0x3f801000,
           0x3f803000, 0x3f808000, 0x3f818000, 0x00000003, 0x00400000, 0x7e800000, 0x01000000,
           0x43e00000, 0x43e80000, 0x47600000, 0x47700000, 0x3b000000, 0x3a800000, 0x37800000,
           0x37000000, 0x7fffffff, 0x3f7ff000},
          0x80000000);
  }
}

U64s shift_edges() {
  U64s v;
  for (std::uint64_t i = 0; i < 70; ++i) v.push_back(i);
  for (std::uint64_t x : {127u, 128u, 255u, 256u, 257u, 288u, 0x10000u, 0x7fffffffu, 0x80000000u,
                          0xffffffe0u, 0xffffffffu})
    v.push_back(x);
  return v;
}

U64s floats(const std::vector<float>& values) {
  U64s v;
  for (const float x : values) {
    v.push_back(std::bit_cast<std::uint32_t>(x));
    v.push_back(std::bit_cast<std::uint32_t>(-x));
  }
  for (const std::uint32_t x : {0x7f800000u, 0xff800000u, 0x7fc00000u, 0xffc12345u, 1u, 0x80000001u,
                                0x007fffffu, 0x807fffffu, 0x00800000u, 0x80800000u})
    v.push_back(x);
  return v;
}

U64s make_edges(Family family) {
  switch (family) {
    case Family::Pred:
      return {0, 1};
    case Family::I16:
      return integer_edges(16);
    case Family::I32:
      return integer_edges(32);
    case Family::I64:
    case Family::I128:
      return integer_edges(64);
    case Family::F16:
    case Family::F16x2:
      return float_edges(Family::F16);
    case Family::BF16:
    case Family::BF16x2:
      return float_edges(Family::BF16);
    case Family::F64:
      return float_edges(Family::F64);
    case Family::Shift:
      return shift_edges();
    case Family::Selector:
      return {0x3210, 0x7654, 0x0123, 0xba98, 0xfedc, 0x8888, 0xffff0000, 0x5140, 0, 1, 2, 3};
    case Family::Angle:
      return floats(
          {0, 0.5f, 1, 1.5707963f, 3.1415927f, 6.2831855f, 1e-3f, 1e-10f, 100, 1e5f, 1e10f, 3e38f});
    case Family::Exponent:
      return floats({0,   0.5f, 1,      2,   3.25f,  10,  100, 126,   126.5f, 127,  127.99999f,
                     128, 129,  148.5f, 149, 149.5f, 150, 151, 1e-6f, 1e-20f, 1e10f});
    case Family::Mask:
      return {0xffffffff, 0x0000ffff, 0xffff0000, 0x5a0f00f1, 0x80000000, 1,
              0x55555555, 0xaaaaaaaa, 0x7fffffff, 0xfffffffe, 0x80000001, 0x00ffff00};
    case Family::Lane:
    case Family::Lane1:
      return {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24, 30, 31, 32, 33, 63, 0xffffffff};
    case Family::Clamp:
      return {0x1f,   0,      0x101f, 0x181f, 0x1c1f, 0x1e1f, 0x1f1f, 0x1000,
              0x1800, 0x1c00, 0x1e00, 0x1f00, 0x0010, 0x0507, 0x1a13, 0x0f0f};
    case Family::Offset:
      return {0, 1, 2, 3, 8, 31, 32, 33, 0xffffffff, 0xfffffffe, 0xffffffe0, 0x7fffffff};
    case Family::WarpWord:
      return {0, 1, 0xffffffff};
    default:
      return float_edges(Family::F32);
  }
}

std::uint64_t random_float(Random& r, int exponent_bits, int mantissa_bits) {
  const std::uint64_t raw = r.next();
  const int bits = 1 + exponent_bits + mantissa_bits;
  const std::uint64_t all = bits == 64 ? ~0ull : (1ull << bits) - 1;
  if (r.below(3) == 0) return raw & all;
  // Near 1, so that sums, products and comparisons are of numbers that matter to each other.
  const std::uint64_t bias = (1ull << (exponent_bits - 1)) - 1, near = exponent_bits == 5 ? 4 : 12;
  const std::uint64_t exponent = bias - near / 2 + r.below(static_cast<std::uint32_t>(near));
  const std::uint64_t mantissa = raw & ((1ull << mantissa_bits) - 1);
  return (raw >> 63) << (bits - 1) | exponent << mantissa_bits | mantissa;
}

std::uint64_t uniform_f32(Random& r, double from, double to) {
  const double unit = static_cast<double>(r.next() >> 11) * 0x1p-53;
  return std::bit_cast<std::uint32_t>(static_cast<float>(from + (to - from) * unit));
}

std::uint64_t random_of(Family family, Random& r) {
  // Taken before the rest: C++ leaves the order of operands open, the recording fixes it.
  std::uint64_t first;
  switch (family) {
    case Family::Pred:
      return r.below(2);
    case Family::I16:
      return r.next() >> 48 >> r.below(12);
    case Family::I32:
    case Family::Selector:
      first = r.next() >> 32;
      return r.below(2) ? first >> r.below(28) : (r.next(), first);
    case Family::I64:
    case Family::I128:
      first = r.next();
      return r.below(2) ? first >> r.below(60) : (r.next(), first);
    case Family::F16:
    case Family::F16x2:
      return random_float(r, 5, 10);
    case Family::BF16:
    case Family::BF16x2:
      return random_float(r, 8, 7);
    case Family::F64:
      return random_float(r, 11, 52);
    case Family::Shift:
      return r.below(72);
    case Family::Offset:
      return static_cast<std::uint32_t>(static_cast<int>(r.below(81)) - 40);
    case Family::Angle:
      return uniform_f32(r, -6.2831853, 6.2831853);
    case Family::Exponent:
      return r.below(2) ? uniform_f32(r, -150, 130) : uniform_f32(r, -4, 4);
    case Family::Positive:
      return r.below(2) ? (r.next() >> 33) & 0x7fffffff : uniform_f32(r, 0.25, 4);
    case Family::Mask:
      first = r.next() >> 32;
      return first | 1ull << r.below(32);
    case Family::WarpWord:
      return 0x12345670 + r.below(3);
    case Family::Lane:
    case Family::Lane1:
      return r.below(32);
    case Family::Clamp:
      first = r.below(32) << 8;
      return first | r.below(32);
    default:
      return random_float(r, 8, 23);
  }
}

bool per_warp(Family family) {
  return family == Family::Mask || family == Family::Clamp || family == Family::Lane1;
}
bool is_pair(Family family) { return family == Family::F16x2 || family == Family::BF16x2; }

// An edge or a random value; a pair gets two of them.
std::uint64_t any_of(Family family, Random& r) {
  const auto one = [&] {
    const auto& edges = edges_of(family);
    return r.below(2) ? edges[r.below(static_cast<std::uint32_t>(edges.size()))]
                      : random_of(family, r);
  };
  const std::uint64_t low = one();
  return is_pair(family) ? (low & 0xffff) | one() << 16 : low;
}

// Sometimes the same as the operand before, its neighbour, or its negative: sums that cancel,
// comparisons that are equal.
Wide related(Family family, const Wide& before, Random& r) {
  const std::size_t bits = 8 * bytes_of(family);
  Wide w = before;
  const std::uint32_t how = r.below(4);
  if (how == 1) w.lo += 1;
  if (how == 2) w.lo -= 1;
  if (how == 3 && bits <= 64) w.lo ^= 1ull << (bits - 1);
  if (bits < 64) w.lo &= (1ull << bits) - 1;
  return w;
}

}  // namespace

std::uint64_t Random::next() { return splitmix64(state_); }

std::uint64_t hash_of(std::string_view text, std::uint64_t seed) {
  for (const char c : text) seed = (seed ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return seed;
}

std::size_t bytes_of(Family family) {
  switch (family) {
    case Family::Pred:
      return 1;
    case Family::I16:
    case Family::F16:
    case Family::BF16:
      return 2;
    case Family::I64:
    case Family::F64:
      return 8;
    case Family::I128:
      return 16;
    default:
      return 4;
  }
}

std::string_view register_of(Family family) {
  switch (bytes_of(family)) {
    case 1:
      return "pred";
    case 2:
      return "b16";
    case 4:
      return "b32";
    case 8:
      return "b64";
    default:
      return "b128";
  }
}

const std::vector<std::uint64_t>& edges_of(Family family) {
  static std::vector<U64s> known(static_cast<std::size_t>(Family::Lane1) + 1);
  U64s& edges = known[static_cast<std::size_t>(family)];
  if (edges.empty()) edges = make_edges(family);
  return edges;
}

std::vector<std::vector<Wide>> operands_of(std::string_view text,
                                           const std::vector<Family>& families, std::size_t n) {
  constexpr std::size_t kCore = 16;  // edges of which all pairs are taken
  Random r(hash_of(text));
  std::vector<std::vector<Wide>> columns(families.size(), std::vector<Wide>(n));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < families.size(); ++k) {
      const Family family = families[k];
      const auto& edges = edges_of(family);
      Wide& w = columns[k][i];
      const bool plain = !is_pair(family) && !per_warp(family);
      if (per_warp(family) && i % 32 != 0) {
        w = columns[k][i - 1];
      } else if (families.size() == 1 && plain && i < edges.size()) {
        w.lo = edges[i];
      } else if (families.size() == 2 && plain && i < kCore * kCore) {
        w.lo = edges[(k == 0 ? i / kCore : i) % kCore % edges.size()];
      } else if (k > 0 && families[k - 1] == family && plain && r.below(6) == 0) {
        w = related(family, columns[k - 1][i], r);
      } else {
        w.lo = any_of(family, r);
      }
      if (family == Family::I128) w.hi = r.below(2) ? any_of(family, r) : ~w.lo;
      if (family == Family::Pred) w.lo &= 1;
    }
  return columns;
}

std::vector<std::byte> packed(Family family, const std::vector<Wide>& values) {
  const std::size_t size = bytes_of(family);
  std::vector<std::byte> bytes(values.size() * size);
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::memcpy(bytes.data() + i * size, &values[i].lo, size < 8 ? size : 8);
    if (size == 16) std::memcpy(bytes.data() + i * size + 8, &values[i].hi, 8);
  }
  return bytes;
}

}  // namespace emu::vectors
