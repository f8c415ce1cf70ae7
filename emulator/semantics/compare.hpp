// SPDX-License-Identifier: MIT
// Comparisons of PTX on plain values: how each kind of number is ordered, and how the twenty
// comparison words come down to a few basic relations.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

namespace emu::exec::semantics {

// ---- numbers: `key` of a lane's bits can be compared with ==, <, <=; `number` tells it from a NaN

template <class T>
struct IntegerOrder {
  using Bits = std::make_unsigned_t<T>;
  static constexpr T key(Bits bits) { return static_cast<T>(bits); }
};

struct F32Order {
  using Bits = std::uint32_t;
  static constexpr float key(Bits bits) { return std::bit_cast<float>(bits); }
  static constexpr bool number(float x) { return x == x; }
};
struct F64Order {
  using Bits = std::uint64_t;
  static constexpr double key(Bits bits) { return std::bit_cast<double>(bits); }
  static constexpr bool number(double x) { return x == x; }
};

// A floating-point format as its magnitude with the sign put on: no conversion needed, and -0 is 0.
// kInfinity is the bits of infinity, kFlush the smallest magnitude that .ftz does not take for
// zero.
template <class BitsType, std::int32_t kInfinity, std::int32_t kFlush = 0>
struct MagnitudeOrder {
  using Bits = BitsType;
  static constexpr int kSignBit = sizeof(Bits) * 8 - 1;
  static constexpr std::int32_t key(Bits bits) {
    auto magnitude = static_cast<std::int32_t>(bits & ((1u << kSignBit) - 1));
    if constexpr (kFlush > 0) magnitude = magnitude < kFlush ? 0 : magnitude;
    const std::int32_t sign = -static_cast<std::int32_t>(bits >> kSignBit);
    return (magnitude ^ sign) - sign;
  }
  static constexpr bool number(std::int32_t key) {
    return static_cast<std::uint32_t>(key) + kInfinity <= 2u * kInfinity;
  }
};
using F32FtzOrder = MagnitudeOrder<std::uint32_t, 0x7f800000, 0x00800000>;
using F16Order = MagnitudeOrder<std::uint16_t, 0x7c00>;
using F16FtzOrder = MagnitudeOrder<std::uint16_t, 0x7c00, 0x0400>;
using BF16Order = MagnitudeOrder<std::uint16_t, 0x7f80>;

// ---- relations. All are false where an operand is NaN: LessGreater is "ordered and not equal".
enum class Relation : std::uint8_t { Equal, Less, LessEqual, LessGreater, Numbers };

template <class Order>
inline constexpr bool kHasNan = requires(decltype(Order::key(0)) x) {
  Order::number(x);
};

template <class Order, Relation kRelation>
constexpr bool holds(typename Order::Bits a_bits, typename Order::Bits b_bits) {
  const auto a = Order::key(a_bits);
  const auto b = Order::key(b_bits);
  // C++ floats compare as false with a NaN by themselves, but for !=.
  constexpr bool kByItself = std::is_floating_point_v<decltype(Order::key(0))> &&
                             kRelation != Relation::LessGreater && kRelation != Relation::Numbers;
  bool numbers = true;
  if constexpr (kHasNan<Order> && !kByItself) {
    numbers = static_cast<bool>(unsigned{Order::number(a)} & unsigned{Order::number(b)});
  }
  switch (kRelation) {
    case Relation::Equal:
      return numbers & (a == b);
    case Relation::Less:
      return numbers & (a < b);
    case Relation::LessEqual:
      return numbers & (a <= b);
    case Relation::LessGreater:
      return numbers & (a != b);
    case Relation::Numbers:
      return numbers;
  }
  return false;
}

// a word(a, b) as a relation, perhaps with the operands swapped or the result complemented.
struct Comparison {
  Relation relation = Relation::Equal;
  bool swap = false;
  bool complement = false;
  bool of_unsigned = false;  // lo, ls, hi, hs: the operands count as unsigned
  bool of_float = false;     // equ ... nan: only between floating-point numbers
};

// nullopt for a word that is no comparison. `is_float` makes `ne` the ordered one.
constexpr std::optional<Comparison> comparison(std::string_view word, bool is_float) {
  using enum Relation;
  struct Entry {
    std::string_view word;
    Comparison is;
  };
  constexpr Entry kWords[] = {
      {"eq", {Equal}},
      {"lt", {Less}},
      {"le", {LessEqual}},
      {"gt", {Less, true}},
      {"ge", {LessEqual, true}},
      {"lo", {Less, false, false, true}},
      {"ls", {LessEqual, false, false, true}},
      {"hi", {Less, true, false, true}},
      {"hs", {LessEqual, true, false, true}},
      {"equ", {LessGreater, false, true, false, true}},
      {"neu", {Equal, false, true, false, true}},
      {"ltu", {LessEqual, true, true, false, true}},
      {"leu", {Less, true, true, false, true}},
      {"gtu", {LessEqual, false, true, false, true}},
      {"geu", {Less, false, true, false, true}},
      {"num", {Numbers, false, false, false, true}},
      {"nan", {Numbers, false, true, false, true}},
  };
  if (word == "ne") return is_float ? Comparison{LessGreater} : Comparison{Equal, false, true};
  for (const Entry& entry : kWords) {
    if (entry.word != word) continue;
    Comparison c = entry.is;
    // Integers are never unordered: a <= b is !(b < a), which saves an instantiation.
    if (!is_float && c.relation == LessEqual) {
      c.relation = Less;
      c.swap = !c.swap;
      c.complement = true;
    }
    return c;
  }
  return std::nullopt;
}

}  // namespace emu::exec::semantics
