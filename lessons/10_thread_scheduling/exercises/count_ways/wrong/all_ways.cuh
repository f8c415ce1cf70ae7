// SPDX-License-Identifier: MIT
// Wrong: every warp goes all ways, whichever occur in it.
#pragma once

constexpr unsigned requests(unsigned n, unsigned ways, unsigned run) {
  return run > 0 ? n / 32 * ways : 0;
}
