// SPDX-License-Identifier: MIT
// The program of a lesson that builds data structures instead of summing an array. Its rungs are
// structures: each checks that nothing is lost, nothing comes out twice, nothing is invented and
// the order is kept, and is then timed. A rung that is wrong on purpose is counted, not judged.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "common/device.cuh"
#include "common/timing.cuh"

namespace course::structures {

// What a check of some operations found. `stuck`: operations that gave up waiting.
struct Findings {
  std::uint64_t operations = 0, lost = 0, twice = 0, invented = 0, disordered = 0, stuck = 0;

  bool ok() const { return lost + twice + invented + disordered + stuck == 0; }
  Findings& operator+=(const Findings& other) {
    operations += other.operations;
    lost += other.lost;
    twice += other.twice;
    invented += other.invented;
    disordered += other.disordered;
    stuck += other.stuck;
    return *this;
  }
};

// Each operation has a value of 32 bits of its own, so that none is taken for another.
inline constexpr std::uint64_t kMostOperations = std::uint64_t{1} << 32;

// What a rung is run with.
struct Setup {
  const Device& device;
  std::optional<std::uint64_t> n;  // operations of the timed launch; none: what suits the device
  int block = 256;
  std::uint64_t seed = 1;
  int reps = 0;
};

struct Result {
  Findings findings;      // of every check, the timed launch's own among them
  double operations = 0;  // of the timed launch
  Timing timing;
  bool comparable = true;  // its operations are of the same kind as those of the baseline
  double per_second() const {
    return timing.median_us > 0 ? operations / timing.median_us * 1e6 : 0;
  }
};

struct Rung {
  const char* id;
  const char* idea;    // what changed since the rung before
  const char* family;  // "stack": rungs of one family are compared with the one before
  Result (*run)(const Setup&);
  bool wrong = false;  // on purpose: what it loses is shown and does not fail the program
};

struct Lesson {
  const char* name;      // "06_lock_free"
  const char* question;  // what it answers
  const char* baseline;  // the rung that all are compared with
  std::span<const Rung> rungs;
};

// The whole program; program.hpp says what its exit codes mean.
int run_lesson(const Lesson& lesson, int argc, const char* const* argv);

}  // namespace course::structures
