// SPDX-License-Identifier: MIT
// Exercise reuse_slots: one thread, all slots empty before.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static void run_case(Run& run) {
  auto calls = run.input<unsigned>("calls");
  auto slots = run.output_from<unsigned long long>("slots", "empty");
  auto answers = run.output<unsigned>("answers", calls.size() / 3);
  reuse_slots<<<1, 1>>>(slots.data(), static_cast<unsigned>(slots.size()), calls.data(),
                        static_cast<unsigned>(calls.size() / 3), answers.data());
}

EXERCISE_MAIN(run_case)
