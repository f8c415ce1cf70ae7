// SPDX-License-Identifier: MIT
// The last rung of a family beside the library, over sizes and inputs: both by the same problem, and both
// results judged.
#pragma once

#include <string>
#include <utility>

#include "common/function_ref.hpp"
#include "common/program/experiment.cuh"
#include "common/program/family.cuh"
#include "common/timing.cuh"

namespace course::families {

struct Beside {
  double ours_us = 0, theirs_us = 0;
  bool ok = false;  // both results were right
  double factor() const { return theirs_us / ours_us; }
};
Beside measure_beside(Problem& problem, Stopwatch& watch, FunctionRef<void()> ours,
                      FunctionRef<void()> theirs, int reps);

// Two tables with the same rows and columns: our time, and how many times as fast as the library that is.
class BesideTables {
 public:
  // The columns are those of the problem; the first one is the heading of the rows.
  BesideTables(Table times, Table factors)
      : times_(std::move(times)), factors_(std::move(factors)) {}
  void column(const char* name);
  void row(const std::string& name);
  void add(const Beside& cell);  // to the row begun last
  // Hands both over; whether all results were right.
  bool finish(Experiment& e);

 private:
  Table times_, factors_;
  bool ok_ = true;
};

}  // namespace course::families
