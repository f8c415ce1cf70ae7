// SPDX-License-Identifier: MIT
// Wrong: a run that is longer than a warp makes none of it.
#pragma once

constexpr unsigned requests(unsigned n, unsigned ways, unsigned run) {
  const unsigned runs = 32 / run;
  return n / 32 * (ways < runs ? ways : runs);
}
