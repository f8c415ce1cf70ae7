// SPDX-License-Identifier: MIT
// Wrong: lanes that read the same word touch the sector it is in.
#pragma once

#include <cstddef>

constexpr unsigned sectors(unsigned apart) { return 4 * apart < 32 ? 4 * apart : 32; }
