// SPDX-License-Identifier: MIT
// What does it cost to meet: lanes of a warp, lanes that have parted, warps of a block? Program
// 10_thread_scheduling.costs.
#include "common/program/experiment.cuh"
#include "lessons/04_warp_shuffle/chain.cuh"
#include "lessons/10_thread_scheduling/arrivals.cuh"

namespace {

using lesson04::chain_row;
using namespace lesson10;

struct Begin {
  static __device__ unsigned begin() { return threadIdx.x; }
};
__device__ unsigned lane() { return threadIdx.x % 32; }
// A little arithmetic that the compiler cannot fold: of many v * 5 + 1 it would make one.
__device__ unsigned stirred(unsigned v) { return (v ^ v >> 15) * 5 + 1; }
// Eight steps that depend on each other; kWay makes them other code.
template <unsigned kWay>
__device__ unsigned eight_steps(unsigned v) {
#pragma unroll 1
  for (int i = 0; i < 8; ++i) v = (v ^ (v >> 15)) * (1664525u + 2 * kWay) + kWay;
  return v;
}

struct Arithmetic : Begin {
  static __device__ unsigned step(unsigned v, unsigned*) { return stirred(v); }
};
struct SyncWarp : Begin {
  static __device__ unsigned step(unsigned v, unsigned*) {
    __syncwarp();
    return stirred(v);
  }
};
struct Vote : Begin {
  static __device__ unsigned step(unsigned v, unsigned*) {
    return stirred(v) + (__any_sync(0xffffffffu, v) != 0);
  }
};
// All lanes one way; two ways, and they meet where the compiler lets them; two ways and a barrier.
struct OneWay : Begin {
  static __device__ unsigned step(unsigned v, unsigned*) { return eight_steps<1>(v); }
};
struct TwoWays : Begin {
  static __device__ unsigned step(unsigned v, unsigned*) {
    return lane() < 16 ? eight_steps<1>(v) : eight_steps<3>(v);
  }
};
struct TwoWaysSync : Begin {
  static __device__ unsigned step(unsigned v, unsigned*) {
    v = lane() < 16 ? eight_steps<1>(v) : eight_steps<3>(v);
    __syncwarp();
    return v;
  }
};
struct FourWays : Begin {
  static __device__ unsigned step(unsigned v, unsigned*) {
    if (lane() < 16) return lane() < 8 ? eight_steps<1>(v) : eight_steps<3>(v);
    return lane() < 24 ? eight_steps<5>(v) : eight_steps<7>(v);
  }
};
// The whole block; eight warps at a barrier of their own; four of them arrive and go on, four wait.
struct SyncThreads : Begin {
  static __device__ unsigned step(unsigned v, unsigned*) {
    __syncthreads();
    return stirred(v);
  }
};
constexpr int kEight = 256;
__device__ int number_of_eight() { return 1 + static_cast<int>(threadIdx.x) / kEight; }
struct EightMeet : Begin {
  static __device__ unsigned step(unsigned v, unsigned*) {
    wait_named(number_of_eight(), kEight);
    return stirred(v);
  }
};
struct FourArrive : Begin {
  static __device__ unsigned step(unsigned v, unsigned*) {
    const bool first = threadIdx.x / 128 % 2 == 0;
    const int there = number_of_eight(), back = there + 4;
    if (first) {
      arrive_named(there, kEight);
      wait_named(back, kEight);
    } else {
      wait_named(there, kEight);
      arrive_named(back, kEight);
    }
    return stirred(v);
  }
};
// Nothing for a single warp: it has no partners.
template <class Operation>
course::TableRow row_of_eights(const course::Device& device, const char* name) {
  return {name,
          {std::nullopt, lesson04::cycles_per_step<Operation>(device, 256),
           lesson04::cycles_per_step<Operation>(device, 1024)}};
}

bool measure_costs(course::Experiment& e) {
  const std::vector<std::string> columns{"operation", "1 warp", "8 warps", "32 warps"};
  const auto& d = e.device;
  course::Table meet{"meet", "To meet, and a little arithmetic", lesson04::clock_unit(d), columns};
  meet.rows.push_back(chain_row<Arithmetic>(d, "the arithmetic alone"));
  meet.rows.push_back(chain_row<SyncWarp>(d, "__syncwarp()"));
  meet.rows.push_back(chain_row<Vote>(d, "__any_sync()"));
  meet.rows.push_back(chain_row<SyncThreads>(d, "__syncthreads()"));
  meet.rows.push_back(row_of_eights<EightMeet>(d, "bar.sync of eight warps"));
  meet.rows.push_back(
      row_of_eights<FourArrive>(d, "bar.arrive of four, bar.sync of four, and back"));
  e.add(std::move(meet));
  course::Table part{"part", "To part for eight steps, and to meet again", lesson04::clock_unit(d),
                     columns};
  part.rows.push_back(chain_row<OneWay>(d, "one way"));
  part.rows.push_back(chain_row<TwoWays>(d, "two ways"));
  part.rows.push_back(chain_row<TwoWaysSync>(d, "two ways, then __syncwarp()"));
  part.rows.push_back(chain_row<FourWays>(d, "four ways"));
  e.add(std::move(part));
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  course::ExperimentInfo info{"10_thread_scheduling", "costs", "What does it cost to meet?"};
  info.flushes = course::Flushes::Never;
  return course::run_experiment(info, argc, argv, measure_costs);
}
