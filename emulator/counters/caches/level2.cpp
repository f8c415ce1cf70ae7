// SPDX-License-Identifier: MIT
// The numbers in here are from tests/timing_set, as Nsight Compute counted it on an H200.
#include "counters/caches/level2.hpp"

#include <algorithm>

namespace emu::observe {
namespace {

// Half of all sectors are at home in the other half of the cache.
constexpr double kElsewhere = 0.5;
// Code, constants and what the GPU itself keeps in memory: found, as a rule.
constexpr double kOthers = 1500;
// When a launch ends, a multiprocessor has a word with every slice that it has asked for something, and that slice with the
// other half (Nsight Compute counts those as sectors of system memory: 96 slices, 132 multiprocessors, twice, are 25,344 of
// them). At a fence, with those that it has asked since the one before.
constexpr double kOfSlice = 2, kSlices = 96;

double words_with_slices(const L2Traffic& t) {
  if (t.fences <= 0) return t.slices;
  const double asked = kSlices * t.slices / (kSlices + 1 - t.slices), each = asked / t.fences;
  return t.slices + t.fences * kSlices * each / (kSlices + each);
}
// Of those who could ask as one, nearly all do; not so many where a multiprocessor has several blocks, or others when those have
// ended, which are not in step.
constexpr double kInStep = 0.95, kSeveral = 0.5, kInWaves = 0.25;
// One word that all lanes read comes to each multiprocessor at another time, and so do words from all over memory, unless all of
// them wait for DRAM to bring it (the kernels of `draws`, `joins` and `forest`; of more than four bytes: those of `bodies`).
constexpr double kInL2 = 0.1, kWideWord = 0.2, kWordBytes = 4;
constexpr double kOneWordInStep = 0.95, kOneWordSeveral = 0.6, kOneWordInWaves = 0.25;
constexpr double kScattered = 0.45, kScatteredInWaves = 0.15;
// A sector that was filled up leaves for DRAM; so many still wait for that when the launch ends, of those that made room for
// others; not of those that left while their own warp was at them.
constexpr double kNotYetWritten = 35e3;
// Of those that are on their way, what counts as missed: for the others the data were there in time.
constexpr double kNotThereYet = 0.75;

}  // namespace

double asked_with_others(double as_one, const InStep& blocks) {
  const auto choose = [&](double in_step, double several, double in_waves) {
    return !blocks.one_wave ? in_waves : blocks.blocks_each > 1 ? several : in_step;
  };
  double in_step = choose(kInStep, kSeveral, kInWaves);
  if (blocks.words != InStep::Words::Together) {
    const double waiting = blocks.words == InStep::Words::One
                               ? choose(kOneWordInStep, kOneWordSeveral, kOneWordInWaves)
                               : choose(kScattered, kScattered, kScatteredInWaves);
    in_step = kInL2 + blocks.from_dram * (waiting - kInL2);
    if (blocks.words == InStep::Words::One && blocks.bytes > kWordBytes) in_step *= kWideWord;
  }
  return 1 - 1 / (1 + in_step * (as_one - 1));
}

L2Lookups l2_lookups(const L2Traffic& t) {
  const double asked = t.loads - t.with_others + t.stores;
  L2Lookups l2;
  // Those that waited to leave make room for as many of those that wait for the rest.
  l2.filled = t.filled + (t.stores > 0 ? t.waiting : 0);
  l2.waiting = std::min(kNotYetWritten, l2.filled - t.filled_early);
  l2.written = std::max(0.0, t.written_back - t.filled + t.waiting + l2.filled - l2.waiting);
  const double again = t.asked_again + l2.filled;
  l2.missed = t.missed + kNotThereYet * t.on_their_way + again;
  l2.all = asked + kElsewhere * t.stores + again + t.came_along + kOthers +
           kOfSlice * words_with_slices(t) * t.multiprocessors;
  l2.asked = asked;
  return l2;
}

}  // namespace emu::observe
