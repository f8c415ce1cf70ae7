// SPDX-License-Identifier: MIT
// Exercise ring_slot: an empty queue, and threads that follow their scripts.
#include "common/exercise/history.cuh"
#include STUDENT_FILE

static void run_case(Run& run) {
  auto words = run.input<unsigned>("words");  // zeros: head, tail, and a turn and a value per slot
  const auto capacity = static_cast<unsigned>(words.size() / 2 - 1);
  course::exercise::follow_scripts(run, Queue{words.data(), words.data() + 1,
                                              reinterpret_cast<Slot*>(words.data() + 2), capacity});
}

EXERCISE_MAIN(run_case)
