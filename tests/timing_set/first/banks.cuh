// SPDX-License-Identifier: MIT
// Shared memory, again and again: side by side, two and 32 lanes on a bank, all lanes on one word, a table looked up.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kPasses = 32, kWords = 1024;

// In each pass every thread adds up what it finds; its words lie Step apart from its neighbour's.
template <unsigned Step>
__global__ void banks(const unsigned* in, unsigned* out, unsigned) {
  __shared__ unsigned words[kWords];
  for (unsigned i = threadIdx.x; i < kWords; i += kBlock) words[i] = in[i];
  __syncthreads();
  unsigned sum = 0, at = threadIdx.x * Step;
#pragma unroll 4
  for (unsigned k = 0; k < kPasses; ++k) {
    sum += words[(at + sum % 2) % kWords];  // depends on the pass before
    at += 33;
  }
  out[thread_number()] = sum;
}
__global__ void bank_lookup(const unsigned* in, unsigned* out, unsigned) {
  __shared__ unsigned words[kWords];
  for (unsigned i = threadIdx.x; i < kWords; i += kBlock) words[i] = in[i];
  __syncthreads();
  unsigned at = mixed(thread_number()) % kWords, sum = 0;
#pragma unroll 4
  for (unsigned k = 0; k < kPasses; ++k) {
    const unsigned word = words[at];
    sum += word;
    at = (at + word) % kWords;
  }
  out[thread_number()] = sum;
}

template <class Function>
std::function<Problem(unsigned)> banks_problem(Function kernel, int step) {
  return [=](unsigned n) {
    auto in = array<unsigned>(kWords, mixed), out = room<unsigned>(n);
    return Problem{[=] { kernel<<<n / kBlock, kBlock>>>(in->data(), out->data(), n); },
                   [=] {
                     return agrees(
                         out,
                         [=](unsigned i) {
                           unsigned sum = 0;
                           unsigned at = step < 0 ? mixed(i) % kWords
                                                  : i % kBlock * static_cast<unsigned>(step);
                           for (unsigned k = 0; k < kPasses; ++k) {
                             const unsigned word =
                                 in->host[(step < 0 ? at : at + sum % 2) % kWords];
                             sum += word;
                             at = step < 0 ? (at + word) % kWords : at + 33;
                           }
                           return sum;
                         },
                         0);
                   }};
  };
}

inline void add_banks(Set& set) {
  const std::vector<unsigned> sizes = {1 << 14, 1 << 17, 1 << 20};
  set.add("banks_side_by_side", sizes, banks_problem(banks<1>, 1));
  set.add("banks_by_two", sizes, banks_problem(banks<2>, 2));
  set.add("banks_by_32", sizes, banks_problem(banks<32>, 32));
  set.add("bank_one_word", sizes, banks_problem(banks<0>, 0));
  set.add("bank_lookup", sizes, banks_problem(bank_lookup, -1));
}

}  // namespace timing_set
