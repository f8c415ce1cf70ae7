// SPDX-License-Identifier: MIT
// What an operation costs that needs the result of the one before it: many in a row, between two
// readings of the multiprocessor's clock.
//
//   struct ShuffleXor : Chained {
//     static __device__ unsigned step(unsigned v, unsigned* memory) { ... }
//   };
#pragma once

#include <optional>
#include <vector>

#include "common/device_buffer.cuh"
#include "common/program/experiment.cuh"
#include "common/timing.cuh"

namespace lesson04 {

// Where a chain begins, unless the operation says otherwise: with the byte offset of the next lane's
// word. `memory` has a word per thread that holds just that, so a load's result is the next address.
struct Chained {
  static __device__ unsigned begin() {
    return (threadIdx.x / 32 * 32 + (threadIdx.x + 1) % 32) * sizeof(unsigned);
  }
};

constexpr int kChainUnroll = 32;

template <class Operation>
__global__ void chain(int rounds, long long* cycles, unsigned* result) {
  __shared__ unsigned memory[1024];
  memory[threadIdx.x] = Chained::begin();
  unsigned v = Operation::begin();
  long long spent = 0;
  // Twice: the first time brings the instructions to the multiprocessor.
  for (int pass = 0; pass < 2; ++pass) {
    __syncthreads();
    const long long start = clock64();
    for (int i = 0; i < rounds; ++i) {
#pragma unroll
      for (int k = 0; k < kChainUnroll; ++k) v = Operation::step(v, memory);
    }
    spent = clock64() - start;
  }
  result[threadIdx.x] = v;  // or the compiler would drop the chain
  if (threadIdx.x == 0) *cycles = spent;
}

// Cycles per operation in one block of `threads`, as its first warp sees them: a median of runs.
template <class Operation>
double cycles_per_step(const course::Device& device, int threads) {
  const int rounds = device.small ? 1 : 64, runs = device.small ? 1 : 7;
  course::DeviceBuffer<long long> cycles(1);
  course::DeviceBuffer<unsigned> result(1024);
  std::vector<double> seen;
  for (int i = 0; i < runs; ++i) {
    chain<Operation><<<1, threads>>>(rounds, cycles.data(), result.data());
    COURSE_CHECK(cudaGetLastError());
    seen.push_back(static_cast<double>(cycles.download()[0]) / (rounds * kChainUnroll));
  }
  return course::summarise(seen).median_us;
}

// For 1, 8 and 32 warps; nothing on a device that is older than the operation.
template <class Operation>
course::TableRow chain_row(const course::Device& device, const char* name, int least_sm = 0) {
  course::TableRow row{name, {}};
  for (const int threads : {32, 256, 1024}) {
    if (device.sm < least_sm) {
      row.values.emplace_back(std::nullopt);
    } else {
      row.values.emplace_back(cycles_per_step<Operation>(device, threads));
    }
  }
  return row;
}

// The emulator's clock64() counts what it executed: no cycles of any GPU.
inline const char* clock_unit(const course::Device& device) {
  return device.emulated ? "steps of the emulator, not cycles" : "cycles";
}

}  // namespace lesson04
