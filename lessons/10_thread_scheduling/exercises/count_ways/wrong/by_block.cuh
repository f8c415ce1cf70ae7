// SPDX-License-Identifier: MIT
// Wrong: ways are counted in a block of 256, not in a warp.
#pragma once

constexpr unsigned requests(unsigned n, unsigned ways, unsigned run) {
  const unsigned runs = 256 / run;
  return n / 256 * 8 * (ways < runs ? ways : runs);
}
