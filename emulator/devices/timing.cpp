// SPDX-License-Identifier: MIT
// The table of timings, read from the .def files.
#include "devices/timing.hpp"

#include <array>
#include <utility>

namespace emu::devices {
namespace {

#define TIME(field, value) t.field = value;

constexpr Timing h200() {
  Timing t;
#include "devices/h200_timing.def"
  return t;
}
constexpr Timing a100() {
  Timing t = h200();
#include "devices/a100_timing.def"
  return t;
}
constexpr Timing rtx4090() {
  Timing t = h200();
#include "devices/rtx4090_timing.def"
  return t;
}
constexpr Timing t4() {
  Timing t = h200();
#include "devices/t4_timing.def"
  return t;
}

#undef TIME

constexpr std::array kTimings = {std::pair{"h200", h200()}, std::pair{"a100", a100()},
                                 std::pair{"rtx4090", rtx4090()}, std::pair{"t4", t4()}};

}  // namespace

const Timing& timing(const Profile& profile) {
  for (const auto& [id, timing] : kTimings)
    if (id == profile.id) return timing;
  return kTimings.front().second;
}

}  // namespace emu::devices
