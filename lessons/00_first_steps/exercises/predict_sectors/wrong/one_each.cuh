// SPDX-License-Identifier: MIT
// Wrong: neighbours share a sector.
#pragma once

#include <cstddef>

constexpr unsigned sectors(unsigned apart) { return apart == 0 ? 1 : 32; }
