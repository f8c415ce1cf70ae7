// SPDX-License-Identifier: MIT
// Small experiments, one for each word that the chapter introduces: coalescing, latency hiding,
// occupancy, registers; and the rungs at a larger size. Program 00_first_steps.experiments.
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "common/device_buffer.cuh"
#include "common/program/experiment.cuh"
#include "common/timing.cuh"
#include "lessons/00_first_steps/first_steps.cuh"

namespace {

using course::DeviceBuffer;

// ---- coalescing: the lanes of a warp read elements that are `stride` apart

__global__ void read_strided(const float* x, std::size_t n, std::size_t stride, float* out) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] = x[i * stride];
}

// How many sectors of 32 bytes the 32 lanes of a warp touch.
std::size_t sectors(std::size_t stride) {
  std::set<std::size_t> touched;
  for (std::size_t lane = 0; lane < 32; ++lane) touched.insert(lane * stride * sizeof(float) / 32);
  return touched.size();
}

bool strides(course::Experiment& e, course::Stopwatch& watch) {
  const std::size_t n = std::size_t{1} << (e.device.small ? 18 : 23), most = 32;
  std::vector<float> x(n * most);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 8191);
  DeviceBuffer<float> in(x), out(n);
  course::Table table{"strides",
                      "A warp reads 32 floats that are so many apart",
                      "",
                      {"apart", "sectors per request", "time us", "x 1 apart", "useful GB/s"}};
  bool ok = true;
  double first = 0;
  for (std::size_t stride = 1; stride <= most; stride *= 2) {
    const auto blocks = static_cast<unsigned>(n / 256);
    const double us =
        watch.measure([&] { read_strided<<<blocks, 256>>>(in.data(), n, stride, out.data()); })
            .median_us;
    COURSE_CHECK(cudaGetLastError());
    if (first == 0) first = us;
    const auto found = out.download();
    for (std::size_t i = 0; i < n; ++i) ok = ok && found[i] == x[i * stride];
    table.rows.push_back({std::to_string(stride),
                          {static_cast<double>(sectors(stride)), us, us / first,
                           2 * sizeof(float) * static_cast<double>(n) / us / 1e3}});
  }
  e.add(std::move(table));
  return ok;
}

// ---- latency hiding: more warps, or wider loads, put more bytes in flight

__device__ float added(float v) { return v; }
__device__ float added(float4 v) { return (v.x + v.y) + (v.z + v.w); }

// Each thread adds up its share and leaves the sum: one load is in flight for each thread.
template <class T>
__global__ void read_all(const T* x, std::size_t n, float* sums) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t me = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (std::size_t i = me; i < n; i += stride) sum += added(x[i]);
  sums[me] = sum;
}

// An array of ones, and room for the sums of threads: their total is how many were read.
struct Ones {
  explicit Ones(std::size_t n) : n(n), x(std::vector<float>(n, 1.0f)), sums(std::size_t{1} << 20) {}
  bool all_read(std::size_t threads) const {
    double total = 0;
    const auto found = sums.download();
    for (std::size_t i = 0; i < threads; ++i) total += found[i];
    return total == static_cast<double>(n);
  }
  std::size_t n;
  DeviceBuffer<float> x, sums;
};

template <class T>
double read_gbps(course::Stopwatch& watch, Ones& ones, unsigned blocks, unsigned threads,
                 std::size_t shared, bool& ok) {
  const auto x = reinterpret_cast<const T*>(ones.x.data());
  const std::size_t n = ones.n * sizeof(float) / sizeof(T);
  const double us =
      watch.measure([&] { read_all<<<blocks, threads, shared>>>(x, n, ones.sums.data()); })
          .median_us;
  COURSE_CHECK(cudaGetLastError());
  ok = ok && ones.all_read(std::size_t{blocks} * threads);
  return static_cast<double>(ones.n * sizeof(float)) / us / 1e3;
}

bool in_flight(course::Experiment& e, course::Stopwatch& watch, Ones& ones) {
  course::Table table{"in_flight",
                      "Reading with so many warps on each multiprocessor",
                      "",
                      {"warps", "KiB in flight, 4-byte loads", "GB/s, 4-byte loads",
                       "KiB in flight, 16-byte loads", "GB/s, 16-byte loads"}};
  bool ok = true;
  for (const unsigned warps : {1u, 2u, 4u, 8u, 16u, 32u, 64u}) {
    const unsigned on_each = warps > 32 ? 2 : 1;  // blocks: one has at most 32 warps
    const auto blocks = static_cast<unsigned>(e.device.multiprocessors) * on_each;
    const unsigned threads = 32 * warps / on_each;
    table.rows.push_back(
        {std::to_string(warps),
         {warps * 128 / 1024.0, read_gbps<float>(watch, ones, blocks, threads, 0, ok),
          warps * 512 / 1024.0, read_gbps<float4>(watch, ones, blocks, threads, 0, ok)}});
  }
  e.add(std::move(table));
  return ok;
}

// ---- occupancy: how many warps a multiprocessor can hold, by what a block takes

int blocks_that_fit(const void* kernel, unsigned threads, std::size_t shared) {
  int blocks = 0;
  COURSE_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel,
                                                             static_cast<int>(threads), shared));
  return blocks;
}

bool occupancy(course::Experiment& e, course::Stopwatch& watch, Ones& ones) {
  struct Shape {
    unsigned threads;
    std::size_t shared_kib;
  };
  const auto kernel = &read_all<float>;
  COURSE_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 96 << 10));
  cudaDeviceProp device{};
  COURSE_CHECK(cudaGetDeviceProperties(&device, 0));
  const int most = device.maxThreadsPerMultiProcessor / 32;
  course::Table table{"occupancy",
                      "What fits on a multiprocessor at once",
                      "",
                      {"a block", "blocks", "warps", "% occupancy", "GB/s"}};
  bool ok = true;
  for (const Shape& shape : {Shape{32, 0}, Shape{64, 0}, Shape{256, 0}, Shape{768, 0},
                             Shape{1024, 0}, Shape{256, 16}, Shape{256, 48}, Shape{256, 96}}) {
    const std::size_t shared = shape.shared_kib << 10;
    const int blocks =
        blocks_that_fit(reinterpret_cast<const void*>(kernel), shape.threads, shared);
    const int warps = blocks * static_cast<int>(shape.threads) / 32;
    std::string name = std::to_string(shape.threads) + " threads";
    if (shared > 0) name += ", " + std::to_string(shape.shared_kib) + " KiB shared";
    const auto grid = static_cast<unsigned>(blocks * e.device.multiprocessors);
    table.rows.push_back({name,
                          {blocks, warps, 100.0 * warps / most,
                           read_gbps<float>(watch, ones, grid, shape.threads, shared, ok)}});
    ok = ok && warps <= most;
  }
  e.add(std::move(table));
  return ok;
}

// ---- registers: what a thread keeps takes room from other threads

// Reads kValues of x before it needs the first of them, so that it must keep them all. The launch
// bounds promise that a block has at most 256 threads: without them the compiler leaves room for 1024.
template <int kValues>
__global__ void __launch_bounds__(256) keep(const float* x, float* out) {
  float kept[kValues];
#pragma unroll
  for (int k = 0; k < kValues; ++k) kept[k] = x[k * blockDim.x + threadIdx.x];
  float product = 1;
#pragma unroll
  for (int k = kValues - 1; k >= 0; --k) product = product * kept[k] + kept[(k * 7) % kValues];
  out[blockIdx.x * blockDim.x + threadIdx.x] = product;
}

template <int kValues>
void add_keep(course::Table& table) {
  const auto kernel = &keep<kValues>;
  cudaFuncAttributes attributes{};
  COURSE_CHECK(cudaFuncGetAttributes(&attributes, kernel));
  const int blocks = blocks_that_fit(reinterpret_cast<const void*>(kernel), 256, 0);
  table.rows.push_back({std::to_string(kValues),
                        {attributes.numRegs, attributes.numRegs * 256.0, blocks, blocks * 8.0}});
}

void registers(course::Experiment& e) {
  course::Table table{"registers",
                      std::string("Registers of a kernel that keeps so many values") +
                          (e.device.emulated ? " (estimated from the PTX)" : ""),
                      "",
                      {"values", "of a thread", "of a block of 256", "blocks that fit", "warps"},
                      {},
                      true};
  add_keep<4>(table);
  add_keep<32>(table);
  add_keep<64>(table);
  add_keep<128>(table);
  e.add(std::move(table));
}

// ---- the rungs where the launch no longer counts

bool rungs(course::Experiment& e, course::Stopwatch& watch) {
  const std::size_t n = std::size_t{1} << (e.device.emulated ? 22 : e.device.small ? 16 : 26);
  const auto problem = course::make_saxpy({e.device, n});
  course::Table table{"rungs",
                      "The rungs that use the whole device, n = " + course::format_size(n),
                      "",
                      {"rung", "time us", "GB/s"}};
  bool ok = true;
  for (const auto& rung : lesson00::kRungs) {
    if (std::string(rung.id).starts_with("one_")) continue;
    problem->poison();
    const double us = watch.measure([&] { rung.launch(problem->task()); }).median_us;
    ok = ok && problem->judge(false).verdict.ok;
    table.rows.push_back({rung.id, {us, problem->bytes() / us / 1e3}});
  }
  e.add(std::move(table));
  return ok;
}

bool measure(course::Experiment& e) {
  course::Stopwatch watch(e.device, e.flush);
  bool ok = rungs(e, watch);
  ok = strides(e, watch) && ok;
  Ones ones(std::size_t{1} << (e.device.emulated ? 22 : e.device.small ? 16 : 26));
  ok = in_flight(e, watch, ones) && ok;
  ok = occupancy(e, watch, ones) && ok;
  registers(e);
  if (!ok) std::printf("FAIL: a kernel did not read what it should\n");
  return ok;
}

}  // namespace

int main(int argc, char** argv) {
  return course::run_experiment(
      {"00_first_steps", "experiments",
       "Coalescing, latency hiding, occupancy and registers, in numbers."},
      argc, argv, measure);
}
