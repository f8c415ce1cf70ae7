// SPDX-License-Identifier: MIT
// How much of constant memory a launch reads: what fits into a multiprocessor's own cache for constants is near.
#pragma once

#include <algorithm>
#include <cstdint>

#include "counters/access_rules.hpp"

namespace emu::observe {

class ConstantSpan {
 public:
  void add(const Addresses& addresses, std::uint32_t bytes) {
    for (std::uint32_t i = 0; i < addresses.count; ++i) {
      from_ = std::min(from_, addresses.address[i]);
      to_ = std::max(to_, addresses.address[i] + bytes);
    }
  }
  // From the first to the last one.
  std::uint64_t bytes() const { return to_ > from_ ? to_ - from_ : 0; }

 private:
  std::uint64_t from_ = ~std::uint64_t{0}, to_ = 0;
};

}  // namespace emu::observe
