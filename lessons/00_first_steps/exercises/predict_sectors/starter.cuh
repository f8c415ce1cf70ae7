// SPDX-License-Identifier: MIT
// Exercise predict_sectors: how many sectors a load of a warp touches.
//
// Lane i reads the float x[apart * i]. x begins at a multiple of 32 bytes, and apart is below 1000.
#pragma once

#include <cstddef>

constexpr unsigned sectors(unsigned apart) {
  // TODO: right for neighbours. What if the lanes are further apart, or read the same word?
  return apart == 1 ? 4 : 0;
}
