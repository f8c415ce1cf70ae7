// SPDX-License-Identifier: MIT
// The kernels that the modelled time is learned from and judged by: what a family's file needs to add its own. A kernel
// comes with some sizes, and with a function that makes the problem of one size: input on the device, one launch, and
// whether its result is right. Inputs are the same on every machine.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "common/check.cuh"
#include "common/device_buffer.cuh"

namespace timing_set {

struct Problem {
  std::function<void()> launch;      // exactly one kernel
  std::function<bool()> right;       // after a launch
  std::function<void()> reset = {};  // puts back what a launch changes and needs; no kernel
};

struct Kernel {
  const char* family;
  const char* id;
  std::vector<unsigned> sizes;
  std::function<Problem(unsigned)> make;
};

class Set {
 public:
  explicit Set(const char* family, std::vector<Kernel>& kernels)
      : family_(family), kernels_(kernels) {}
  void add(const char* id, std::vector<unsigned> sizes, std::function<Problem(unsigned)> make) {
    kernels_.push_back({family_, id, std::move(sizes), std::move(make)});
  }

 private:
  const char* family_;
  std::vector<Kernel>& kernels_;
};

// A number that looks random, from another; the same everywhere.
__host__ __device__ constexpr unsigned mixed(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ (x >> 16);
}

// An array on both sides: what the host knows of it is what the device had at first.
template <class T>
struct Array {
  explicit Array(std::vector<T> values) : host(std::move(values)), device(host) {}
  explicit Array(std::size_t n) : device(n) {}  // the host knows nothing
  T* data() { return device.data(); }
  unsigned size() const { return static_cast<unsigned>(device.size()); }
  void restore() { device.upload(host); }
  std::vector<T> host;
  course::DeviceBuffer<T> device;
};
template <class T>
using Shared = std::shared_ptr<Array<T>>;

template <class T>
Shared<T> array(std::vector<T> values) {
  return std::make_shared<Array<T>>(std::move(values));
}
// value(i) for each i, of a large array by several threads: a profiler waits for every input again.
template <class T, class Value>
Shared<T> array(std::size_t n, Value value) {
  std::vector<T> values(n);
  const std::size_t parts = n < (1u << 18) ? 1 : std::max(1u, std::thread::hardware_concurrency());
  const auto fill = [&](std::size_t part) {
    for (std::size_t i = n * part / parts; i < n * (part + 1) / parts; ++i)
      values[i] = static_cast<T>(value(static_cast<unsigned>(i)));
  };
  std::vector<std::thread> threads;
  for (std::size_t part = 1; part < parts; ++part) threads.emplace_back(fill, part);
  fill(0);
  for (std::thread& thread : threads) thread.join();
  return array(std::move(values));
}
// Between 0 and 1, in steps of 2^-16: sums of many are nearly exact.
template <class T = float>
Shared<T> uniform(std::size_t n, unsigned seed) {
  return array<T>(n, [seed](unsigned i) { return (mixed(i ^ (seed << 24)) >> 16) / 65536.0; });
}
// For results: bytes that are no number, so that what is not written shows.
template <class T>
Shared<T> room(std::size_t n) {
  auto made = std::make_shared<Array<T>>(n);
  COURSE_CHECK(cudaMemset(made->data(), 0xff, n * sizeof(T)));
  return made;
}
template <class T>
void clear(const Shared<T>& array) {
  COURSE_CHECK(cudaMemset(array->data(), 0, array->device.bytes()));
}

inline bool near(double got, double wanted, double tolerance) {
  return std::abs(got - wanted) <= tolerance * (1 + std::abs(wanted));  // false for NaN
}

// Looks at about a thousand elements all over the array, first and last among them.
template <class T, class Wanted>
bool agrees(const Shared<T>& out, Wanted wanted, double tolerance = 1e-4) {
  const std::vector<T> got = out->device.download();
  const std::size_t step = got.size() / 1000 | 1;
  const auto right = [&](std::size_t i) {
    return near(static_cast<double>(got[i]), static_cast<double>(wanted(static_cast<unsigned>(i))),
                tolerance);
  };
  for (std::size_t i = 0; i < got.size(); i += step)
    if (!right(i)) return false;
  return got.empty() || right(got.size() - 1);
}

constexpr unsigned kBlock = 256;
constexpr unsigned blocks_of(std::size_t threads, unsigned block = kBlock) {
  return static_cast<unsigned>((threads + block - 1) / block);
}

#ifdef __CUDACC__
__device__ inline unsigned thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }
constexpr unsigned kAll = 0xffffffffu;

template <class T>
__device__ T warp_sum(T x) {
  for (int d = 16; d > 0; d /= 2) x += __shfl_xor_sync(kAll, x, d);
  return x;
}
#endif

}  // namespace timing_set
