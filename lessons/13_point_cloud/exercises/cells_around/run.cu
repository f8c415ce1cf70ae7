// SPDX-License-Identifier: MIT
// Exercise cells_around: a thread per point.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static void run_case(Run& run) {
  auto points = run.input<float>("points");
  auto starts = run.input<unsigned>("starts");
  const auto n = static_cast<unsigned>(points.size() / 2);
  auto counts = run.output<unsigned>("counts", n);
  cells_around<<<n / 64 + 1, 64>>>(reinterpret_cast<const float2*>(points.data()), starts.data(),
                                   run.one<int>("across"), run.one<float>("eps"), n, counts.data());
}

EXERCISE_MAIN(run_case)
