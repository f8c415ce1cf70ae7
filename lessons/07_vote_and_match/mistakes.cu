// SPDX-License-Identifier: MIT
// Two mistakes with masks. The first gives wrong answers on some days; the second is refused by the
// emulator and may hang a GPU, so it is not launched there. Program 07_vote_and_match.mistakes.
#include <cstdio>

#include "common/device_buffer.cuh"
#include "common/program/experiment.cuh"
#include "lessons/07_vote_and_match/lanes.cuh"

namespace {

using course::DeviceBuffer;
using namespace lesson07;

// How many lanes have an odd value? Right: the mask is made before the branch, by a vote of all.
__global__ void count_odd(const unsigned* in, unsigned* counts) {
  const unsigned v = in[threadIdx.x];
  const Mask odd = __ballot_sync(kAllLanes, v % 2);
  if (v % 2) counts[threadIdx.x] = __popc(odd);
}
// Mistake one: __activemask() after a branch says who happens to be here together. Here the two
// values 1 and 3 take different ways first, and nothing brings them together again.
__global__ void count_active(const unsigned* in, unsigned* counts) {
  const unsigned v = in[threadIdx.x];
  unsigned here = 0;
  switch (v) {
    case 1:
      here = __popc(__activemask());
      counts[threadIdx.x] = here;
      break;
    case 3:
      here = __popc(__activemask());
      counts[threadIdx.x] = here;
      break;
    default:
      break;
  }
}
// Mistake two: the mask names all lanes, and half of them are elsewhere, at the barrier.
__global__ void vote_in_a_branch(const unsigned* in, unsigned* counts) {
  const unsigned v = in[threadIdx.x];
  if (v % 2) counts[threadIdx.x] = __popc(__ballot_sync(kAllLanes, true));
  __syncthreads();
}

bool run(course::Experiment& e) {
  std::vector<unsigned> x(32);
  for (unsigned i = 0; i < 32; ++i) x[i] = i % 4;
  DeviceBuffer<unsigned> in(x), counts(32);
  const auto launched = [&](void (*kernel)(const unsigned*, unsigned*)) {
    COURSE_CHECK(cudaMemset(counts.data(), 0, counts.bytes()));
    kernel<<<1, 32>>>(in.data(), counts.data());
    COURSE_CHECK(cudaGetLastError());
    return counts.download()[1];
  };
  const unsigned right = launched(&count_odd), active = launched(&count_active);
  std::printf("lanes with an odd value, counted by a vote before the branch: %u\n", right);
  std::printf("counted by __activemask() inside of it: %u\n", active);
  if (!e.device.emulated) {
    std::printf("a vote of all lanes in a branch of some: not launched, it may never end here\n");
    return right == 16;
  }
  std::printf("a vote of all lanes in a branch of some:\n");
  std::fflush(stdout);
  try {
    launched(&vote_in_a_branch);
  } catch (const course::CudaError& error) {
    std::printf("refused: %s\n", error.what());
    return right == 16;
  }
  std::printf("FAIL: it was not refused\n");
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  course::ExperimentInfo info{"07_vote_and_match", "mistakes",
                              "Two mistakes with masks, and what becomes of them."};
  info.takes_json = false;
  return course::run_experiment(info, argc, argv, run);
}
