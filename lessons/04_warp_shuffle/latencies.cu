// SPDX-License-Identifier: MIT
// What an exchange between lanes costs, and what the ways to wait cost. Program
// 04_warp_shuffle.latencies: two tables of cycles and one of time.
//
// Latency: an operation that needs the result of the one before it, a thousand times, between two
// readings of the multiprocessor's clock. Throughput: the same work on all multiprocessors, full of
// warps, in time. The two answer different questions. A chain of shuffles waits for each of them;
// a full multiprocessor lets another warp work meanwhile.
#include <cooperative_groups.h>

#include <string>

#include "common/device_buffer.cuh"
#include "common/program/experiment.cuh"
#include "common/timing.cuh"
#include "lessons/04_warp_shuffle/chain.cuh"
#include "lessons/04_warp_shuffle/warp_shuffle.cuh"

namespace {

using course::DeviceBuffer;
using lesson04::chain_row;
using lesson04::Chained;
using lesson04::clock_unit;
using lesson04::kAllLanes;
using lesson04::kWarp;
using lesson04::lane;

// ---- latency

// One step of each chain: takes what the step before it gave.
struct ShuffleXor : Chained {
  static __device__ unsigned step(unsigned v, unsigned*) {
    return __shfl_xor_sync(kAllLanes, v, 1);
  }
};
struct ShuffleDown : Chained {
  static __device__ unsigned step(unsigned v, unsigned*) {
    return __shfl_down_sync(kAllLanes, v, 1);
  }
};
struct SharedLoad : Chained {
  static __device__ unsigned step(unsigned v, unsigned* memory) {
    return *reinterpret_cast<unsigned*>(reinterpret_cast<char*>(memory) + v);
  }
};
// What stands in for one shuffle where there is none: leave it, wait, fetch it, wait.
struct SharedExchange : Chained {
  static __device__ unsigned step(unsigned v, unsigned* memory) {
    memory[threadIdx.x] = v;
    __syncwarp();
    const unsigned got = memory[threadIdx.x ^ 1];
    __syncwarp();
    return got;
  }
};
struct SyncWarp : Chained {
  static __device__ unsigned step(unsigned v, unsigned*) {
    __syncwarp();
    return v;
  }
};
struct SyncThreads : Chained {
  static __device__ unsigned step(unsigned v, unsigned*) {
    __syncthreads();
    return v;
  }
};
struct Ballot : Chained {
  static __device__ unsigned step(unsigned v, unsigned*) { return __ballot_sync(kAllLanes, v); }
};
struct MatchAny : Chained {  // gives lane i its own bit: the values stay different
  static __device__ unsigned step(unsigned v, unsigned*) { return __match_any_sync(kAllLanes, v); }
};
struct Redux : Chained {
  static __device__ unsigned step(unsigned v, unsigned*) {
#if __CUDA_ARCH__ >= 800
    return __reduce_add_sync(kAllLanes, v);
#else
    return v;  // not asked for there
#endif
  }
};

void add_latencies(course::Experiment& e) {
  const course::Device& d = e.device;
  course::Table table{"latency",
                      "One operation after the other, in one block",
                      clock_unit(d),
                      {"operation", "32 threads", "256 threads", "1024 threads"}};
  table.rows.push_back(chain_row<ShuffleXor>(d, "__shfl_xor_sync"));
  table.rows.push_back(chain_row<ShuffleDown>(d, "__shfl_down_sync"));
  table.rows.push_back(chain_row<SharedLoad>(d, "shared memory: load"));
  table.rows.push_back(chain_row<SharedExchange>(d, "shared memory: store, wait, load, wait"));
  table.rows.push_back(chain_row<Redux>(d, "__reduce_add_sync", 80));
  table.rows.push_back(chain_row<Ballot>(d, "__ballot_sync"));
  table.rows.push_back(chain_row<MatchAny>(d, "__match_any_sync, all different"));
  table.rows.push_back(chain_row<SyncWarp>(d, "__syncwarp"));
  table.rows.push_back(chain_row<SyncThreads>(d, "__syncthreads"));
  e.add(std::move(table));
}

// ---- waiting for the whole grid

__global__ void grid_syncs(int syncs, long long* cycles) {
  const auto grid = cooperative_groups::this_grid();
  grid.sync();  // all blocks have started
  const long long start = clock64();
  for (int i = 0; i < syncs; ++i) grid.sync();
  if (grid.thread_rank() == 0) *cycles = clock64() - start;
}

void add_grid_sync(course::Experiment& e) {
  constexpr int kBlock = 256;
  course::Table table{"grid_sync",
                      "grid.sync() of the whole GPU, blocks of 256 threads",
                      clock_unit(e.device),
                      {"blocks per multiprocessor", "grid.sync()"}};
  int cooperative = 0, fit = 0;
  COURSE_CHECK(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, 0));
  COURSE_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, grid_syncs, kBlock, 0));
  int syncs = e.device.small ? 2 : 1000;
  DeviceBuffer<long long> cycles(1);
  for (const int blocks : {1, 2, 4, 8}) {
    course::TableRow row{std::to_string(blocks), {std::nullopt}};
    if (cooperative && blocks <= fit) {
      long long* out = cycles.data();
      void* arguments[] = {&syncs, &out};
      COURSE_CHECK(cudaLaunchCooperativeKernel(grid_syncs, blocks * e.device.multiprocessors,
                                               kBlock, arguments));
      row.values[0] = static_cast<double>(cycles.download()[0]) / syncs;
    }
    table.rows.push_back(std::move(row));
  }
  e.add(std::move(table));
}

// ---- throughput

struct SumXor {
  static __device__ float sum(float v, float*) { return lesson04::warp_sum(v); }
};
struct SumDown {
  static __device__ float sum(float v, float*) { return lesson04::warp_sum_down(v); }
};
// Lesson 03's last warp: the tree in shared memory, in the warp's own 32 words.
struct SumShared {
  static __device__ float sum(float v, float* mine) {
    mine[lane()] = v;
    __syncwarp();
#pragma unroll
    for (unsigned half = kWarp / 2; half > 0; half /= 2) {
      if (lane() < half) mine[lane()] += mine[lane() + half];
      __syncwarp();
    }
    const float sum = mine[0];
    __syncwarp();  // all have read it before the next sum writes
    return sum;
  }
};
struct SumRedux {
  static __device__ float sum(float v, float*) {
    return __int_as_float(lesson04::warp_sum_redux(__float_as_int(v)));
  }
};

template <class Way>
__global__ void many_sums(int sums, float* result) {
  __shared__ float memory[256];
  float v = static_cast<float>(threadIdx.x);
  for (int i = 0; i < sums; ++i) v = Way::sum(v, memory + threadIdx.x / kWarp * kWarp);
  result[std::size_t{blockIdx.x} * blockDim.x + threadIdx.x] = v;
}

template <class Way>
double time_ms(course::Stopwatch& watch, const course::Device& device) {
  constexpr int kBlock = 256;
  const int blocks = device.multiprocessors * (device.small ? 1 : 8);
  const int sums = device.small ? 4 : 1000;
  DeviceBuffer<float> result(static_cast<std::size_t>(blocks) * kBlock);
  return watch
             .measure([&] {
               many_sums<Way><<<blocks, kBlock>>>(sums, result.data());
               COURSE_CHECK(cudaGetLastError());
             })
             .median_us /
         1e3;
}

void add_throughput(course::Experiment& e) {
  course::Stopwatch watch(e.device, e.flush);
  course::Table table{"throughput",
                      "Sums of 32 values, every multiprocessor full of warps",
                      "",
                      {"a warp's sum by", "ms", "time / xor"}};
  const double by_xor = time_ms<SumXor>(watch, e.device);
  const auto row = [&](const char* name, double ms) {
    table.rows.push_back({name, {ms, ms / by_xor}});
  };
  row("shuffle xor", by_xor);
  row("shuffle down", time_ms<SumDown>(watch, e.device));
  row("shared memory and __syncwarp", time_ms<SumShared>(watch, e.device));
  if (e.device.sm >= 80) row("__reduce_add_sync (integers)", time_ms<SumRedux>(watch, e.device));
  e.add(std::move(table));
}

}  // namespace

int main(int argc, char** argv) {
  return course::run_experiment(
      {"04_warp_shuffle", "latencies", "What shuffles, shared memory and barriers cost."}, argc,
      argv, [](course::Experiment& e) {
        add_latencies(e);
        add_grid_sync(e);
        add_throughput(e);
        return true;
      });
}
