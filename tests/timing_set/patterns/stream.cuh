// SPDX-License-Identifier: MIT
// An array read and another written: element i of the result is made of elements of the input (`taken`), or element i of the
// input goes somewhere (`put`). The host does the same, element after element, and compares all of them.
#pragma once

#include "../set.cuh"

namespace timing_set {

template <class T, class Out, class Take>
__global__ void taken(const T* in, Out* out, unsigned n, unsigned size, Take take) {
  const unsigned i = thread_number();
  if (i < n) out[i] = static_cast<Out>(take(in, i, size));
}
template <class T, class Out, class Put>
__global__ void put(const T* in, Out* out, unsigned n, unsigned size, Put put_at) {
  const unsigned i = thread_number();
  if (i < n) put_at(out, i, in[i], size);
}

struct Same {
  template <class T>
  __host__ __device__ T operator()(const T* in, unsigned i, unsigned) const {
    return in[i];
  }
};

// `In` and `Out`: how many elements each array has for one of n. `wanted(in, out, n)` is what the host does; what it leaves
// alone must still be as it was.
template <class T, class Result, unsigned In, unsigned Out, class Launch, class Wanted>
std::function<Problem(unsigned)> stream(Launch launch, Wanted wanted) {
  return [=](unsigned n) {
    auto in = array<T>(static_cast<std::size_t>(n) * In, [](unsigned i) { return i % 61; });
    auto out = room<Result>(static_cast<std::size_t>(n) * Out);
    return Problem{[=] { launch(in->data(), out->data(), n); },
                   [=] {
                     const std::vector<Result> got = out->device.download();
                     std::vector<Result> expected(got.size());
                     std::fill_n(reinterpret_cast<unsigned char*>(expected.data()),
                                 expected.size() * sizeof(Result), 0xff);
                     wanted(in->host.data(), expected.data(), n);
                     return got == expected;
                   }};
  };
}
template <class T, class Result, unsigned In, unsigned Block = kBlock, class Take>
std::function<Problem(unsigned)> taking(Take take) {
  return stream<T, Result, In, 1>(
      [=](const T* in, Result* out, unsigned n) {
        taken<<<blocks_of(n, Block), Block>>>(in, out, n, n * In, take);
      },
      [=](const T* in, Result* out, unsigned n) {
        for (unsigned i = 0; i < n; ++i) out[i] = static_cast<Result>(take(in, i, n * In));
      });
}
template <class Result, unsigned Out, class Put>
std::function<Problem(unsigned)> putting(Put at) {
  return stream<unsigned, Result, 1, Out>(
      [=](const unsigned* in, Result* out, unsigned n) {
        put<<<blocks_of(n), kBlock>>>(in, out, n, n * Out, at);
      },
      [=](const unsigned* in, Result* out, unsigned n) {
        for (unsigned i = 0; i < n; ++i) at(out, i, in[i], n * Out);
      });
}
// For kernels whose result is the input again.
template <class T, class Launch>
std::function<Problem(unsigned)> copying(Launch launch) {
  return stream<T, T, 1, 1>(launch,
                            [](const T* in, T* out, unsigned n) { std::copy_n(in, n, out); });
}

}  // namespace timing_set
