// SPDX-License-Identifier: MIT
// Exercise ring_step: three GPUs in a ring, all at the same time.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static void run_case(Run& run) {
  constexpr int kCount = 3;
  static const char* const kIn[] = {"in0", "in1", "in2"};
  static const char* const kOut[] = {"out0", "out1", "out2"};
  Team team{};
  team.count = kCount;
  team.number = 1;
  team.patience = 1000000;
  unsigned* gave_up[kCount];
  for (int r = 0; r < kCount; ++r) {
    run.on(r);
    auto in = run.input<float>(kIn[r]);
    team.n = in.size();
    team.in[r] = in.data();
    team.out[r] = run.output_zero<float>(kOut[r], in.size()).data();
    team.scratch[r] = run.scratch<float>(in.size()).data();
    // Words of the signals: an output only because outputs can be zero.
    auto words = run.output_zero<unsigned>(r == 0   ? "words0"
                                           : r == 1 ? "words1"
                                                    : "words2",
                                           sizeof(lesson14::Signals) / sizeof(unsigned) + 1);
    team.signals[r] = reinterpret_cast<lesson14::Signals*>(words.data());
    gave_up[r] = words.data() + words.size() - 1;
  }
  for (int r = 0; r < kCount; ++r) {
    run.on(r);
    team.rank = r;
    team.gave_up = gave_up[r];
    reduce_scatter<<<1, 32>>>(team);
  }
}

EXERCISE_MAIN(run_case)
