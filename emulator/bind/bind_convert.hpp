// SPDX-License-Identifier: MIT
// What the two halves of the cvt binder share.
#pragma once

#include "bind/bind.hpp"
#include "semantics/convert.hpp"

namespace emu::exec {

struct Conversion {
  ptx::Type from{}, to{};
  std::uint32_t from_bytes = 4, to_bytes = 4;  // of the registers
  semantics::ConvertRule rule;
};

// A handler for a conversion that is common enough to have its own, nullptr for any other. Reads
// src[0] (and src[1] of a pair).
Handler fast_convert(const Conversion& c);
Handler fast_convert_pair(const Conversion& c);  // c.to: the element type of the packed result

}  // namespace emu::exec
