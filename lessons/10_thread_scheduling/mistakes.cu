// SPDX-License-Identifier: MIT
// Two mistakes of warps that count on lock step, each beside its cure. The first gives right answers on
// most days; the second is refused by the emulator and may hang a GPU, so it is not launched there.
// Program 10_thread_scheduling.mistakes.
#include <cstdio>
#include <vector>

#include "common/device_buffer.cuh"
#include "common/program/experiment.cuh"

namespace {

using course::DeviceBuffer;

constexpr unsigned kAllLanes = 0xffffffffu;

// Each lane hands a value to its neighbour, through shared memory. Mistake one: it takes for granted
// that both branches have come to their end when one has.
__global__ void assumed_convergence(const unsigned* in, unsigned* out) {
  __shared__ unsigned row[32];
  const unsigned lane = threadIdx.x, v = in[lane];
  if (v % 2)
    row[lane] = 3 * v + 1;
  else
    row[lane] = v / 2;
  out[lane] = row[(lane + 1) % 32];
}
// Its cure: the lanes meet, and see what the others wrote.
__global__ void with_syncwarp(const unsigned* in, unsigned* out) {
  __shared__ unsigned row[32];
  const unsigned lane = threadIdx.x, v = in[lane];
  if (v % 2)
    row[lane] = 3 * v + 1;
  else
    row[lane] = v / 2;
  __syncwarp();
  out[lane] = row[(lane + 1) % 32];
}

// Lanes with an odd value want to know their neighbour's. Mistake two: they shuffle where only they are,
// and name the others in the mask. The functions without a mask took whoever was there, and are gone;
// this is what becomes of programs that used them.
__global__ void shuffle_in_a_branch(const unsigned* in, unsigned* out) {
  const unsigned lane = threadIdx.x, v = in[lane];
  unsigned next = 0;
  if (v % 2) next = __shfl_sync(kAllLanes, v, (lane + 1) % 32);
  __syncwarp();
  out[lane] = next;
}
// Its cure: all lanes shuffle, and those who want to know keep what they got. A mask of the odd lanes
// alone would be no cure: a lane that takes no part has no value to give.
__global__ void shuffle_by_all(const unsigned* in, unsigned* out) {
  const unsigned lane = threadIdx.x, v = in[lane];
  const unsigned next = __shfl_sync(kAllLanes, v, (lane + 1) % 32);
  out[lane] = v % 2 ? next : 0;
}

// How many of 32 lanes got what they should. in[i] is 7 i + 3.
unsigned right_lanes(void (*kernel)(const unsigned*, unsigned*),
                     unsigned (*right)(unsigned mine, unsigned next)) {
  std::vector<unsigned> x(32);
  for (unsigned i = 0; i < 32; ++i) x[i] = 7 * i + 3;
  DeviceBuffer<unsigned> in(x), out(32);
  COURSE_CHECK(cudaMemset(out.data(), 0xcd, out.bytes()));
  kernel<<<1, 32>>>(in.data(), out.data());
  COURSE_CHECK(cudaGetLastError());
  const auto got = out.download();
  unsigned same = 0;
  for (unsigned i = 0; i < 32; ++i) same += got[i] == right(x[i], x[(i + 1) % 32]);
  return same;
}
unsigned halved_or_more(unsigned, unsigned next) { return next % 2 ? 3 * next + 1 : next / 2; }
unsigned next_if_odd(unsigned mine, unsigned next) { return mine % 2 ? next : 0; }

bool run_mistakes(course::Experiment& e) {
  std::printf("lanes that got the right value, of 32\n");
  std::printf("  without __syncwarp()    %u (right on most days)\n",
              right_lanes(&assumed_convergence, &halved_or_more));
  const unsigned with = right_lanes(&with_syncwarp, &halved_or_more);
  std::printf("  with __syncwarp()       %u\n", with);
  const unsigned all = right_lanes(&shuffle_by_all, &next_if_odd);
  std::printf("  a shuffle by all        %u\n", all);
  const bool ok = with == 32 && all == 32;
  if (!e.device.emulated) {
    std::printf("  a shuffle in a branch   not launched: it may never end here\n");
    return ok;
  }
  std::fflush(stdout);
  try {
    const unsigned some = right_lanes(&shuffle_in_a_branch, &next_if_odd);
    std::printf("  a shuffle in a branch   %u   FAIL: it was not refused\n", some);
  } catch (const course::CudaError& error) {
    std::printf("  a shuffle in a branch   refused: %s\n", cudaGetErrorName(error.code));
    return ok;
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  course::ExperimentInfo info{"10_thread_scheduling", "mistakes",
                              "Two mistakes of warps that count on lock step."};
  info.takes_json = false;
  info.flushes = course::Flushes::Never;
  return course::run_experiment(info, argc, argv, run_mistakes);
}
