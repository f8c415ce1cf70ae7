// SPDX-License-Identifier: MIT
// Values where integer code goes wrong, for the tests of integer.hpp and bits.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace emu::exec::semantics {

using S8 = std::int8_t;
using U8 = std::uint8_t;
using S16 = std::int16_t;
using U16 = std::uint16_t;
using S32 = std::int32_t;
using U32 = std::uint32_t;
using S64 = std::int64_t;
using U64 = std::uint64_t;

// Values where integer code goes wrong, and a few in between.
template <class T>
std::vector<T> edges() {
  std::vector<T> v;
  const U64 seeds[] = {0,
                       1,
                       2,
                       3,
                       5,
                       7,
                       31,
                       32,
                       33,
                       63,
                       64,
                       127,
                       128,
                       255,
                       256,
                       0x1234,
                       0x7fff,
                       0x8000,
                       0xffff,
                       0x10000,
                       0xabcdef,
                       0x7fffff,
                       0x800000,
                       0x12345678,
                       0x7fffffff,
                       0x80000000,
                       0xdeadbeef,
                       0xffffffff,
                       0x123456789abcdef0,
                       0x7fffffffffffffff,
                       0x8000000000000000};
  for (const U64 s : seeds) {
    for (const T x : {static_cast<T>(s), static_cast<T>(~s), static_cast<T>(0 - s)}) {
      if (std::find(v.begin(), v.end(), x) == v.end()) v.push_back(x);
    }
  }
  return v;
}

template <class T, class F>
void for_pairs(F f) {
  for (const T a : edges<T>()) {
    for (const T b : edges<T>()) f(a, b);
  }
}

}  // namespace emu::exec::semantics
