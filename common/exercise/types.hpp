// SPDX-License-Identifier: MIT
// The names of the element types that a case's arrays can have. Includes nothing heavy: it is
// compiled with every student's file.
#pragma once

#include <cstddef>
#include <cstdint>

namespace course::exercise {

template <class T>
struct TypeName;  // another type: not one that a case can have
template <>
struct TypeName<unsigned char> {
  static constexpr const char* value = "u8";
};
template <>
struct TypeName<int> {
  static constexpr const char* value = "i32";
};
template <>
struct TypeName<unsigned> {
  static constexpr const char* value = "u32";
};
// Two types have 64 bits, and std::int64_t is one of them.
template <>
struct TypeName<long> {
  static constexpr const char* value = "i64";
};
template <>
struct TypeName<long long> {
  static constexpr const char* value = "i64";
};
template <>
struct TypeName<unsigned long> {
  static constexpr const char* value = "u64";
};
template <>
struct TypeName<unsigned long long> {
  static constexpr const char* value = "u64";
};
template <>
struct TypeName<float> {
  static constexpr const char* value = "f32";
};
template <>
struct TypeName<double> {
  static constexpr const char* value = "f64";
};

}  // namespace course::exercise
