// SPDX-License-Identifier: MIT
// Wrong: one request for each warp, as if lanes could go different ways at once.
#pragma once

constexpr unsigned requests(unsigned n, unsigned ways, unsigned run) {
  return ways * run > 0 ? n / 32 : 0;
}
