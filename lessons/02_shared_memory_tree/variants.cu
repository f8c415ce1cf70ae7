// SPDX-License-Identifier: MIT
// Which change bought what? The three trees of this lesson, and between them two that differ from one
// of them in one line each. Program 02_shared_memory_tree.variants.
#include <cstddef>
#include <cstdio>
#include <string>

#include "common/input.hpp"
#include "common/program/experiment.cuh"
#include "common/sums/workspace.cuh"
#include "common/timing.cuh"
#include "lessons/02_shared_memory_tree/shared_memory_tree.cuh"

namespace {

using lesson02::load_or_zero;

constexpr int kTreeBlock = 256;

// interleaved, but for one line: an & in place of the %.
__global__ void interleaved_by_mask(const float* in, std::size_t n, float* partial) {
  __shared__ float s[kTreeBlock];
  const unsigned t = threadIdx.x;
  s[t] = load_or_zero(in, n);
  __syncthreads();
  for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
    if ((t & (2 * distance - 1)) == 0) s[t] += s[t + distance];
    __syncthreads();
  }
  if (t == 0) partial[blockIdx.x] = s[0];
}

// strided, with padding: one word that nobody uses behind every 32.
__device__ constexpr unsigned padded(unsigned i) { return i + i / 32; }
__global__ void strided_padded(const float* in, std::size_t n, float* partial) {
  __shared__ float s[kTreeBlock + kTreeBlock / 32];
  const unsigned t = threadIdx.x;
  s[padded(t)] = load_or_zero(in, n);
  __syncthreads();
  for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
    const unsigned i = 2 * distance * t;
    if (i < blockDim.x) s[padded(i)] += s[padded(i + distance)];
    __syncthreads();
  }
  if (t == 0) partial[blockIdx.x] = s[0];
}

struct Variant {
  const char* name;
  void (*kernel)(const float*, std::size_t, float*);
};
constexpr Variant kVariants[] = {{"interleaved", &lesson02::interleaved<float>},
                                 {"interleaved, & in place of %", &interleaved_by_mask},
                                 {"strided", &lesson02::strided<float>},
                                 {"strided, padded", &strided_padded},
                                 {"sequential", &lesson02::sequential<float>}};

bool measure_variants(course::Experiment& e) {
  const std::size_t n = e.device.small ? 1u << 20 : 1u << 26;
  course::Workspace<float> work(n, kTreeBlock, e.device);
  const auto x = course::exact_floats(n, 1);
  work.load(x);
  float truth = 0;
  for (const float v : x) truth += v;
  course::Stopwatch watch(e.device, e.flush);
  course::Table table{"trees",
                      "Trees that differ in one line, n = " + course::format_size(n),
                      "",
                      {"tree", "time us", "x interleaved"}};
  double first = 0;
  bool ok = true;
  for (const Variant& variant : kVariants) {
    work.poison();
    const auto launch = [&] { lesson02::reduce_in_passes(variant.kernel, work.sum()); };
    const double us = watch.measure(launch, e.reps).median_us;
    if (work.result() != truth) {  // whole numbers: every order gives the same sum
      std::printf("FAIL %s\n", variant.name);
      ok = false;
    }
    if (first == 0) first = us;
    table.rows.push_back({variant.name, {us, first / us}});
  }
  e.add(std::move(table));
  return ok;
}

}  // namespace

int main(int argc, char** argv) {
  course::ExperimentInfo info{"02_shared_memory_tree", "variants",
                              "Trees that differ in one line: which change bought what?"};
  info.takes_reps = true;
  return course::run_experiment(info, argc, argv, measure_variants);
}
