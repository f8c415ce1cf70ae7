// SPDX-License-Identifier: MIT
// Exercise predict_sectors: how many sectors a load of a warp touches.
//
// Lane i reads the float x[apart * i]. x begins at a multiple of 32 bytes, and apart is below 1000.
#pragma once

#include <cstddef>

constexpr unsigned sectors(unsigned apart) {
  // <solution>
  unsigned touched = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    // A lane has a new sector, unless the one before it has the same.
    const unsigned mine = lane * apart * 4 / 32;
    if (lane == 0 || mine != (lane - 1) * apart * 4 / 32) ++touched;
  }
  return touched;
  // <starter>
  //| // TODO: right for neighbours. What if the lanes are further apart, or read the same word?
  //| return apart == 1 ? 4 : 0;
  // </solution>
}
