// SPDX-License-Identifier: MIT
// Wrong: two runs that have the same way go it together.
#pragma once

constexpr unsigned requests(unsigned n, unsigned ways, unsigned run) {
  const unsigned runs = run < 32 ? 32 / run : 1;
  return n / 32 * (ways > 0 ? runs : 0);
}
