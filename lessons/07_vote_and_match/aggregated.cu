// SPDX-License-Identifier: MIT
// One counter, and counters by key: an atomic of each lane beside one of the warp, and beside what the
// compiler makes of the simplest code. Program 07_vote_and_match.aggregated.
#include "lessons/07_vote_and_match/aggregated.cuh"

#include <cstdint>
#include <string>
#include <vector>

#include "common/device_buffer.cuh"
#include "common/launch.cuh"
#include "common/program/experiment.cuh"
#include "common/timing.cuh"

namespace {

using course::DeviceBuffer;
using namespace lesson07;

struct Work {
  unsigned n = 0, keys = 1;
  unsigned* counters = nullptr;
  unsigned* seen = nullptr;  // what each element got
};
// Which counter an element belongs to: mixed, so that neighbours differ.
__device__ unsigned key_of(unsigned i, unsigned keys) { return i * 2654435761u % keys; }

// What everybody writes first. The result is not used, so the compiler may put lanes together.
struct Plain {
  static __device__ unsigned step(const Work& w, unsigned key) {
    atomicAdd(w.counters + key, 1u);
    return 0;
  }
};
// The same, but every lane wants to know what was there before.
struct PlainResult {
  static __device__ unsigned step(const Work& w, unsigned key) {
    return atomicAdd(w.counters + key, 1u);
  }
};
// An instruction that the compiler leaves alone.
struct Untouched {
  static __device__ unsigned step(const Work& w, unsigned key) {
    unsigned old;
    asm volatile("atom.global.add.u32 %0, [%1], 1;" : "=r"(old) : "l"(w.counters + key) : "memory");
    return old;
  }
};
struct Together {  // right for one counter only
  static __device__ unsigned step(const Work& w, unsigned) {
    return add_together(w.counters, kAllLanes);
  }
};
struct ByKey {
  static __device__ unsigned step(const Work& w, unsigned key) {
    return add_by_key(w.counters, key, kAllLanes);
  }
};

template <class Way>
__global__ void count(Work w) {  // n is a multiple of the block: all lanes are there
  const unsigned step = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < w.n; i += step)
    w.seen[i] = Way::step(w, key_of(i, w.keys));
}

// One address that the compiler can see, and nobody uses the result: it puts a warp's lanes together.
__global__ void everyone_counts(unsigned* counter) { atomicAdd(counter, 1u); }

bool all_were_counted() {
  constexpr unsigned kBlocks = 4, kThreads = 256;
  DeviceBuffer<unsigned> counter(std::vector<unsigned>{0});
  everyone_counts<<<kBlocks, kThreads>>>(counter.data());
  COURSE_CHECK(cudaGetLastError());
  const bool ok = counter.download()[0] == kBlocks * kThreads;
  if (!ok) std::printf("FAIL everyone_counts\n");
  return ok;
}

struct Column {
  const char* name;
  void (*kernel)(Work);
  bool tickets, one_counter;
};
constexpr Column kColumns[] = {{"atomicAdd", &count<Plain>, false, false},
                               {"its result used", &count<PlainResult>, true, false},
                               {"as written (PTX)", &count<Untouched>, true, false},
                               {"warp, one counter", &count<Together>, true, true},
                               {"warp, by key", &count<ByKey>, true, false}};

// Every counter counted right, and every number handed out once: their sum says so.
bool right(const Work& w, const std::vector<unsigned>& counters, const std::vector<unsigned>& seen,
           bool tickets) {
  std::uint64_t all = 0, numbers = 0, sum = 0;
  for (const std::uint64_t c : counters) all += c, numbers += c * (c - 1) / 2;
  for (const unsigned s : seen) sum += s;
  return all == w.n && (!tickets || sum == numbers);
}

bool measure_aggregated(course::Experiment& e) {
  const unsigned n = e.device.small ? 1u << 14 : 1u << 24;
  course::Table table{"atomics", "Counting, by the number of counters", "G/s", {"counters"}};
  for (const auto& column : kColumns) table.columns.emplace_back(column.name);
  course::Stopwatch watch(e.device, e.flush);
  DeviceBuffer<unsigned> seen(n);
  bool ok = all_were_counted();
  for (const unsigned keys : {1u, 2u, 4u, 16u, 256u, 65536u}) {
    DeviceBuffer<unsigned> counters(keys);
    const Work work{n, keys, counters.data(), seen.data()};
    course::TableRow row{std::to_string(keys), {}};
    for (const auto& column : kColumns) {
      if (column.one_counter && keys > 1) {
        row.values.push_back(std::nullopt);
        continue;
      }
      const auto launch = [&] {
        COURSE_CHECK(cudaMemsetAsync(counters.data(), 0, counters.bytes()));
        column.kernel<<<course::full_grid(e.device, n, 256), 256>>>(work);
        COURSE_CHECK(cudaGetLastError());
      };
      const auto timing = watch.measure(launch, e.device.small ? 1 : 11);
      if (!right(work, counters.download(), seen.download(), column.tickets)) {
        std::printf("FAIL %s, %u counters\n", column.name, keys);
        ok = false;
      }
      row.values.push_back(n / timing.median_us / 1e3);
    }
    table.rows.push_back(std::move(row));
  }
  e.add(std::move(table));
  return ok;
}

}  // namespace

int main(int argc, char** argv) {
  return course::run_experiment(
      {"07_vote_and_match", "aggregated", "One atomic for a warp, beside one for each lane."}, argc,
      argv, measure_aggregated);
}
