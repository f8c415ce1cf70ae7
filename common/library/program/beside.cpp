// SPDX-License-Identifier: MIT
#include "common/program/beside.cuh"

namespace course::families {

Beside measure_beside(Problem& problem, Stopwatch& watch, FunctionRef<void()> ours,
                      FunctionRef<void()> theirs, int reps) {
  Beside both;
  problem.poison();
  both.theirs_us = watch.measure(theirs, reps).median_us;
  both.ok = problem.judge(false).verdict.ok;
  problem.poison();
  both.ours_us = watch.measure(ours, reps).median_us;
  both.ok = problem.judge(false).verdict.ok && both.ok;
  return both;
}

void BesideTables::column(const char* name) {
  times_.columns.emplace_back(name);
  factors_.columns.emplace_back(name);
}
void BesideTables::row(const std::string& name) {
  times_.rows.push_back({name, {}});
  factors_.rows.push_back({name, {}});
}
void BesideTables::add(const Beside& cell) {
  times_.rows.back().values.emplace_back(cell.ours_us);
  factors_.rows.back().values.emplace_back(cell.factor());
  ok_ = ok_ && cell.ok;
}
bool BesideTables::finish(Experiment& e) {
  e.add(std::move(times_));
  e.add(std::move(factors_));
  return ok_;
}

}  // namespace course::families
