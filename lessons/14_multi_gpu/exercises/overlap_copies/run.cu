// SPDX-License-Identifier: MIT
// Exercise overlap_copies: pieces of the second GPU, added on the first.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static void run_case(Run& run) {
  constexpr int kCount = 5;
  run.on(1);
  auto pieces = run.input<int>("pieces");
  run.on(0);
  const std::size_t n = pieces.size() / kCount;
  auto sums = run.output_zero<int>("sums", n);
  auto rooms = run.scratch<int>(2 * n);
  int devices = 1;
  cudaGetDeviceCount(&devices);
  Lane lane{};
  lane.from = 1 % devices;
  lane.buffer[0] = rooms.data(), lane.buffer[1] = rooms.data() + n;
  for (cudaStream_t* stream : {&lane.copies, &lane.adds})
    cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking);
  for (int b = 0; b < 2; ++b) {
    cudaEventCreateWithFlags(&lane.full[b], cudaEventDisableTiming);
    cudaEventCreateWithFlags(&lane.free[b], cudaEventDisableTiming);
  }
  add_pieces(lane, sums.data(), pieces.data(), n, kCount);
}

EXERCISE_MAIN(run_case)
