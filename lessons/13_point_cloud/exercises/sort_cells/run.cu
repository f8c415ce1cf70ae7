// SPDX-License-Identifier: MIT
// Exercise sort_cells: one block.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static void run_case(Run& run) {
  auto cells = run.input<unsigned>("cells");
  auto starts = run.output<unsigned>("starts", 257);
  auto order = run.output<unsigned>("order", cells.size());
  sort_cells<<<1, 256>>>(cells.data(), static_cast<unsigned>(cells.size()), starts.data(),
                         order.data());
}

EXERCISE_MAIN(run_case)
