// SPDX-License-Identifier: MIT
// Exercise steal_half: three blocks of 16 threads, all of them thieves.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static void run_case(Run& run) {
  auto queue = run.output_from<unsigned long long>("queue", "ends");
  auto visits = run.output_zero<unsigned>("visits", run.one<unsigned>("tasks"));
  steal_all<<<3, 16>>>(queue.data(), visits.data());
}

EXERCISE_MAIN(run_case)
