// SPDX-License-Identifier: MIT
// Wrong: a request for each thread: a warp sends one for all its lanes.
#pragma once

constexpr unsigned requests(unsigned n, unsigned ways, unsigned run) {
  return ways + run > 0 ? n : 0;
}
