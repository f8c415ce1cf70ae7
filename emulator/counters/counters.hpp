// SPDX-License-Identifier: MIT
// The numbers of one launch: which there are (counters.def), and how they are kept.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace emu::observe {

enum class Counter : std::uint8_t {
#define COUNTER(id, name, unit, meaning) id,
#include "counters/counters.def"
  Count
};
enum class LaunchCounter : std::uint8_t {
#define LAUNCH(id, name, unit, meaning) id,
#include "counters/counters.def"
  Count
};
inline constexpr std::size_t kCounters = static_cast<std::size_t>(Counter::Count);
inline constexpr std::size_t kLaunchCounters = static_cast<std::size_t>(LaunchCounter::Count);

struct CounterInfo {
  std::string_view name, unit, meaning;
};
// What is a percentage is kept in hundredths of one, so that figures are whole numbers everywhere and the same on every machine.
inline constexpr std::string_view kPercent = "percent";
inline constexpr std::uint64_t kHundredths = 100;
std::span<const CounterInfo> counter_table();         // by Counter
std::span<const CounterInfo> launch_counter_table();  // by LaunchCounter

template <class Id, std::size_t N>
class CountArray {
 public:
  std::uint64_t& operator[](Id id) { return values_[static_cast<std::size_t>(id)]; }
  std::uint64_t operator[](Id id) const { return values_[static_cast<std::size_t>(id)]; }
  CountArray& operator+=(const CountArray& other) {
    for (std::size_t i = 0; i < N; ++i) values_[i] += other.values_[i];
    return *this;
  }

 private:
  std::array<std::uint64_t, N> values_{};
};
using Counts = CountArray<Counter, kCounters>;
using LaunchFigures = CountArray<LaunchCounter, kLaunchCounters>;

// What was counted at one line of the CUDA source; line 0: the compiler named none.
struct LineCounts {
  std::string file;  // as the compiler was told it
  std::uint32_t line = 0;
  Counts counts;
};

struct LaunchCounts {
  std::string kernel;   // demangled
  std::string mangled;  // as Nsight Compute can show it too
  std::array<std::uint32_t, 3> grid{}, block{}, cluster{};
  bool failed = false;  // an error stopped it: counted up to there
  Counts counts;
  LaunchFigures figures;
  // Sectors that had to leave L2 after they were written, and that were read to fill up what was written in part.
  std::uint64_t written_back = 0, filled = 0;
  std::uint64_t lines_written_back = 0;  // ... or some sectors of them
  std::uint64_t rows_opened = 0;         // of DRAM, for what came from there
  std::uint64_t atomic_passes = 0;       // of all sectors
  std::uint64_t atomics_missed = 0;      // sectors that L2 did not have
  std::uint64_t looks = 0,
                swaps = 0;  // loads and compare-and-swaps at the sector that had most atomics
  std::uint64_t constant_bytes = 0;  // of constant memory, that the blocks of a multiprocessor read
  std::vector<LineCounts> lines;     // by file and line
};

}  // namespace emu::observe
