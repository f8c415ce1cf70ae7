// SPDX-License-Identifier: MIT
// Exercise simple_stack: an empty stack, and threads that follow their scripts.
#include "common/exercise/history.cuh"
#include STUDENT_FILE

static void run_case(Run& run) {
  static_assert(sizeof(Node) == 8, "leave the node as it is");
  auto lists = run.input<unsigned long long>("lists");
  auto nodes = run.input<unsigned>("nodes");
  auto spare = run.input<unsigned>("spare");
  course::exercise::follow_scripts(
      run, Stack{lists.data(), lists.data() + 1, reinterpret_cast<Node*>(nodes.data()),
                 static_cast<unsigned>(nodes.size() / 2), spare.data()});
}

EXERCISE_MAIN(run_case)
