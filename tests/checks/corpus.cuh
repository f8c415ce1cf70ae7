// SPDX-License-Identifier: MIT
// Runs the kernels of a corpus one after the other. Every kernel is a case of its own: what the checks say of it
// is told apart by its name. A racy one ends in _racy, and the lines that race are marked `// race A` and
// `// race B`; all others must stay without a word.
#pragma once

#include <cstdio>

#define CHECK_CUDA(call)                                                  \
  do {                                                                    \
    const cudaError_t error = (call);                                     \
    if (error != cudaSuccess) {                                           \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error)); \
      return 1;                                                           \
    }                                                                     \
  } while (false)

namespace corpus {

using Kernel = void (*)(int* a, int* b, int n);
constexpr int kN = 4096;  // ints of a and b, all zero at the start

struct Case {
  const char* name;
  Kernel kernel;
  int grid = 1, block = 64;
  int shared = 0;
  bool cooperative = false;
  int cluster = 1;
};

inline cudaError_t launch(const Case& c, int* a, int* b) {
  int n = kN;
  cudaLaunchAttribute attributes[2];
  cudaLaunchConfig_t config{};
  config.gridDim = c.grid;
  config.blockDim = c.block;
  config.dynamicSmemBytes = c.shared;
  config.attrs = attributes;
  if (c.cooperative) {
    attributes[config.numAttrs].id = cudaLaunchAttributeCooperative;
    attributes[config.numAttrs++].val.cooperative = 1;
  }
  if (c.cluster > 1) {
    attributes[config.numAttrs].id = cudaLaunchAttributeClusterDimension;
    attributes[config.numAttrs++].val.clusterDim = {static_cast<unsigned>(c.cluster), 1, 1};
  }
  return cudaLaunchKernelEx(&config, c.kernel, a, b, n);
}

// Where some stop with an error (`may_fail`), the device is made anew for the next.
template <int kCases>
int run(const Case (&cases)[kCases], bool may_fail = false) {
  int *a = nullptr, *b = nullptr;
  for (const Case& c : cases) {
    if (!a) {
      CHECK_CUDA(cudaMalloc(&a, kN * sizeof(int)));
      CHECK_CUDA(cudaMalloc(&b, kN * sizeof(int)));
    }
    CHECK_CUDA(cudaMemset(a, 0, kN * sizeof(int)));
    CHECK_CUDA(cudaMemset(b, 0, kN * sizeof(int)));
    if (launch(c, a, b) != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) {
      if (may_fail) {
        CHECK_CUDA(cudaDeviceReset());
        a = b = nullptr;
        continue;
      }
      std::fprintf(stderr, "%s: %s\n", c.name, cudaGetErrorString(cudaGetLastError()));
      return 1;
    }
  }
  CHECK_CUDA(cudaFree(a));
  CHECK_CUDA(cudaFree(b));
  return 0;
}

}  // namespace corpus

#define CASE(kernel, ...) \
  { #kernel, kernel, __VA_ARGS__ }
