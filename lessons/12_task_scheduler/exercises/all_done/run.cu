// SPDX-License-Identifier: MIT
// Exercise all_done: three blocks of 4 threads; the list begins with task 0.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

__global__ static void begin(List list, unsigned n) {
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x) list.tasks[i] = i == 0 ? 0 : kNone;
  if (threadIdx.x == 0) *list.head = 0, *list.tail = 1, *list.outstanding = 1;
}

static void run_case(Run& run) {
  auto first = run.input<unsigned>("first");
  auto kids = run.input<unsigned>("kids");
  auto words = run.scratch<unsigned>(96);
  auto tasks = run.scratch<unsigned>(first.size());
  auto visits = run.output_zero<unsigned>("visits", first.size());
  const List list{tasks.data(), words.data(), words.data() + 32, words.data() + 64};
  begin<<<1, 256>>>(list, static_cast<unsigned>(first.size()));
  auto ran = run.output_zero<unsigned>("ran", 1);
  auto left_at = run.output<unsigned>("left_at", 12);
  visit_all<<<3, 4>>>(first.data(), kids.data(), list, visits.data(), ran.data(), left_at.data());
}

EXERCISE_MAIN(run_case)
