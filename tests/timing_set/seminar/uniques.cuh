// SPDX-License-Identifier: MIT
// Removing the repetitions from a sorted array: where flags and places are given, as after a scan; in any order, where each
// warp takes its places from one counter; the same with a counter in each block, which collects in shared memory what it
// keeps; and the repetitions counted instead, where the thread at the begin of a run walks to its end.
#pragma once
#include "../set.cuh"

namespace timing_set {

__global__ void uniques_flags(const int* in, const unsigned char* flags, const unsigned* places,
                              int* out, unsigned n) {
  const unsigned i = thread_number();
  if (i < n && flags[i]) out[places[i]] = in[i];
}

__global__ void uniques_warp(const int* in, int* out, unsigned* counter, unsigned n) {
  const unsigned i = thread_number(), lane = threadIdx.x % 32;
  const bool mine = i < n && (i == 0 || in[i] != in[i - 1]);
  const unsigned votes = __ballot_sync(kAll, mine);
  unsigned place = 0;
  if (lane == 0 && votes != 0) place = atomicAdd(counter, static_cast<unsigned>(__popc(votes)));
  place = __shfl_sync(kAll, place, 0);
  if (mine) out[place + __popc(votes & ((1u << lane) - 1))] = in[i];
}

constexpr unsigned kUniquesBlock = 512, kUniquesEach = 4, kUniquesTile = 2048;

__global__ void __launch_bounds__(kUniquesBlock)
    uniques_block(const int* __restrict__ in, int* __restrict__ out, unsigned* counter,
                  unsigned n) {
  __shared__ int kept[kUniquesTile];
  __shared__ unsigned count, place;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  for (unsigned k = 0; k < kUniquesEach; ++k) {
    const unsigned i = blockIdx.x * kUniquesTile + k * kUniquesBlock + threadIdx.x;
    if (i < n) {
      const int mine = in[i];
      if (i == 0 || mine != in[i - 1]) kept[atomicAdd(&count, 1u)] = mine;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) place = atomicAdd(counter, count);
  __syncthreads();
  for (unsigned k = threadIdx.x; k < count; k += blockDim.x) out[place + k] = kept[k];
}

__global__ void uniques_runs(const unsigned short* in, const unsigned* number,
                             unsigned short* value, unsigned* length, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned short mine = in[i];
  if (i > 0 && in[i - 1] == mine) return;
  unsigned end = i + 1;
  while (end < n && in[end] == mine) ++end;
  value[number[i]] = mine;
  length[number[i]] = end - i;
}

// Which of the different values each element has, where one in `repeated` is a new one.
inline std::vector<unsigned> uniques_numbers(unsigned n, unsigned repeated) {
  std::vector<unsigned> numbers(n);
  for (unsigned i = 1; i < n; ++i) numbers[i] = numbers[i - 1] + (mixed(i) % repeated == 0);
  return numbers;
}
inline int uniques_value(unsigned number) { return static_cast<int>(5 * number + 2); }

inline Problem uniques_flags_problem(unsigned n) {
  auto places = array(uniques_numbers(n, 3));
  const unsigned different = places->host.back() + 1;
  auto in = array<int>(n, [&](unsigned i) { return uniques_value(places->host[i]); });
  auto flags = array<unsigned char>(
      n, [&](unsigned i) { return i == 0 || places->host[i] != places->host[i - 1]; });
  auto out = room<int>(different);
  return Problem{[=] {
                   uniques_flags<<<blocks_of(n), kBlock>>>(in->data(), flags->data(),
                                                           places->data(), out->data(), n);
                 },
                 [=] { return agrees(out, uniques_value, 0); }};
}

// Of an array whose values are appended in any order.
struct UniquesAppended {
  Shared<int> in, out;
  Shared<unsigned> counter;
  unsigned different;
  explicit UniquesAppended(unsigned n) {
    const std::vector<unsigned> numbers = uniques_numbers(n, 3);
    different = numbers.back() + 1;
    in = array<int>(n, [&](unsigned i) { return uniques_value(numbers[i]); });
    out = room<int>(different);
    counter = room<unsigned>(1);
  }
  bool right() const {
    if (counter->device.download()[0] != different) return false;
    std::vector<char> seen(different);
    for (const int got : out->device.download()) {
      const unsigned number = (static_cast<unsigned>(got) - 2) / 5;
      if (number >= different || uniques_value(number) != got || seen[number]) return false;
      seen[number] = 1;
    }
    return true;
  }
};

inline Problem uniques_warp_problem(unsigned n) {
  const UniquesAppended all(n);
  return Problem{[=] {
                   uniques_warp<<<blocks_of(n, 192), 192>>>(all.in->data(), all.out->data(),
                                                            all.counter->data(), n);
                 },
                 [=] { return all.right(); }, [=] { clear(all.counter); }};
}

inline Problem uniques_block_problem(unsigned n) {
  const UniquesAppended all(n);
  return Problem{[=] {
                   uniques_block<<<blocks_of(n, kUniquesTile), kUniquesBlock>>>(
                       all.in->data(), all.out->data(), all.counter->data(), n);
                 },
                 [=] { return all.right(); }, [=] { clear(all.counter); }};
}

inline Problem uniques_runs_problem(unsigned n) {
  auto number = array(uniques_numbers(n, 11));
  const unsigned different = number->host.back() + 1;
  const auto short_value = [](unsigned k) { return static_cast<unsigned short>(k * 7); };
  auto in = array<unsigned short>(n, [&](unsigned i) { return short_value(number->host[i]); });
  auto value = room<unsigned short>(different);
  auto length = room<unsigned>(different);
  return Problem{[=] {
                   uniques_runs<<<blocks_of(n, 64), 64>>>(in->data(), number->data(), value->data(),
                                                          length->data(), n);
                 },
                 [=] {
                   std::vector<unsigned> lengths(different);
                   for (const unsigned k : number->host) ++lengths[k];
                   return agrees(value, short_value, 0) &&
                          agrees(
                              length, [&](unsigned k) { return lengths[k]; }, 0);
                 }};
}

inline void add_uniques(Set& set) {
  const std::vector<unsigned> sizes = {11111, 1200000, 9000001};
  set.add("uniques_flags", {11111, 1200000, 14000001}, uniques_flags_problem);
  set.add("uniques_warp", sizes, uniques_warp_problem);
  set.add("uniques_block", sizes, uniques_block_problem);
  set.add("uniques_runs", sizes, uniques_runs_problem);
}

}  // namespace timing_set
