// SPDX-License-Identifier: MIT
// Wrong: 32 lanes touch at most 32 sectors.
#pragma once

#include <cstddef>

constexpr unsigned sectors(unsigned apart) { return apart == 0 ? 1 : 4 * apart; }
