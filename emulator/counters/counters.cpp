// SPDX-License-Identifier: MIT
// The table of counters as data.
#include "counters/counters.hpp"

namespace emu::observe {

namespace {
constexpr CounterInfo kTable[] = {
#define COUNTER(id, name, unit, meaning) {name, unit, meaning},
#include "counters/counters.def"
};
constexpr CounterInfo kLaunchTable[] = {
#define LAUNCH(id, name, unit, meaning) {name, unit, meaning},
#include "counters/counters.def"
};
}  // namespace

std::span<const CounterInfo> counter_table() { return kTable; }
std::span<const CounterInfo> launch_counter_table() { return kLaunchTable; }

}  // namespace emu::observe
