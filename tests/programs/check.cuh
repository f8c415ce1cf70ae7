// SPDX-License-Identifier: MIT
// What the test programs share: stop at the first failed call, move arrays, and print each result
// beside the CPU's verdict.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <vector>

#define CHECK(call)                                                                  \
  do {                                                                               \
    const cudaError_t check_error = (call);                                          \
    if (check_error != cudaSuccess) {                                                \
      std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorName(check_error)); \
      std::exit(1);                                                                  \
    }                                                                                \
  } while (0)

// After a launch: was it accepted, and did it end well?
#define CHECK_KERNEL()              \
  do {                              \
    CHECK(cudaGetLastError());      \
    CHECK(cudaDeviceSynchronize()); \
  } while (0)

// Nothing, one, around a warp, not a multiple of any block, several blocks.
inline const int kSizes[] = {0, 1, 31, 32, 33, 255, 1000, 4099};

inline int wrong_results = 0;
// The program's exit code.
inline int finish() { return wrong_results == 0 ? 0 : 1; }

// The same pseudo-random bits everywhere.
__host__ __device__ inline unsigned noise(unsigned x) {
  x = (x ^ 61u ^ (x >> 16)) * 9u;
  x = (x ^ (x >> 4)) * 0x27d4eb2du;
  return x ^ (x >> 15);
}

inline int blocks_for(long long n, int per_block) {
  return n <= 0 ? 1 : static_cast<int>((n + per_block - 1) / per_block);
}

template <class T>
T* upload(const std::vector<T>& values) {
  T* device = nullptr;
  CHECK(cudaMalloc(&device, (values.empty() ? 1 : values.size()) * sizeof(T)));
  CHECK(cudaMemcpy(device, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return device;
}

template <class T>
std::vector<T> download(const T* device, std::size_t n) {
  std::vector<T> values(n);
  CHECK(cudaMemcpy(values.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost));
  return values;
}

template <class T>
void print_value(T value) {
  if constexpr (std::is_floating_point_v<T>)
    std::printf("%.9g", static_cast<double>(value));
  else if constexpr (std::is_signed_v<T>)
    std::printf("%lld", static_cast<long long>(value));
  else
    std::printf("%llu", static_cast<unsigned long long>(value));
}

template <class T>
void report(const char* what, long long n, T got, std::type_identity_t<T> want) {
  std::printf("%s n=%lld: ", what, n);
  print_value(got);
  if (!(got == want)) {
    ++wrong_results;
    std::printf(" WRONG, the CPU has ");
    print_value(want);
  }
  std::printf("\n");
}

// An array is printed as a checksum; the first difference is shown.
template <class T>
void report(const char* what, const std::vector<T>& got, const std::vector<T>& want) {
  unsigned sum = 2166136261u;
  for (const T& value : got) {
    unsigned long long bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    sum = (sum ^ static_cast<unsigned>(bits ^ bits >> 32)) * 16777619u;
  }
  std::printf("%s n=%zu: checksum %08x\n", what, got.size(), sum);
  if (got.size() != want.size())
    std::printf("  WRONG size, the CPU has %zu\n", want.size()), ++wrong_results;
  for (std::size_t i = 0; i < got.size() && i < want.size(); ++i) {
    if (got[i] == want[i]) continue;
    std::printf("  WRONG at %zu: ", i);
    print_value(got[i]);
    std::printf(", the CPU has ");
    print_value(want[i]);
    std::printf("\n");
    ++wrong_results;
    return;
  }
}

inline void show(const char* what, cudaError_t error) {
  std::printf("%s: %s\n", what, cudaGetErrorName(error));
}
