// SPDX-License-Identifier: MIT
// Wrong: lines of 128 bytes are not sectors.
#pragma once

#include <cstddef>

constexpr unsigned sectors(unsigned apart) {
  return apart * 31 * 4 / 128 + 1 < 32 ? apart * 31 * 4 / 128 + 1 : 32;
}
