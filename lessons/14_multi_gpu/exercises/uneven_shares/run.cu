// SPDX-License-Identifier: MIT
// Exercise uneven_shares: every GPU marks its elements in the memory of the first one.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static void run_case(Run& run) {
  auto speeds = run.host<unsigned>("speeds");
  const auto n = run.one<unsigned>("n");
  const auto scale = run.one<unsigned long long>("scale");
  const int count = static_cast<int>(speeds.size());
  unsigned long long begins[17] = {}, large[17] = {};
  share_out(n, speeds.data(), count, begins);
  share_out(n * scale, speeds.data(), count, large);
  run.on(0);
  auto owners = run.output_zero<unsigned>("owners", n);
  for (int r = 0; r < count; ++r) {
    if (begins[r] >= begins[r + 1]) continue;
    run.on(r);
    claim<<<1, 32>>>(owners.data(), begins[r], begins[r + 1], static_cast<unsigned>(r));
  }
  run.output_host("begins", begins, static_cast<std::size_t>(count) + 1);
  run.output_host("large", large, static_cast<std::size_t>(count) + 1);
}

EXERCISE_MAIN(run_case)
