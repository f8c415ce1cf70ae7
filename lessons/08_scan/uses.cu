// SPDX-License-Identifier: MIT
// What a scan is for: each element finds its own place. Compaction, one digit of a sort, run lengths.
// Program 08_scan.uses.
#include <algorithm>
#include <cstdio>
#include <iterator>
#include <utility>
#include <vector>

#include "common/device_buffer.cuh"
#include "common/input.hpp"
#include "common/program/experiment.cuh"
#include "lessons/08_scan/one_pass.cuh"

namespace {

using course::DeviceBuffer;
using Values = std::vector<unsigned>;
constexpr unsigned kBlock = 256;

__device__ std::size_t my_index() { return std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; }
unsigned blocks_for(std::size_t n) { return lesson08::tiles_of(n, kBlock); }

// places[i] = how many of counts[0] ... counts[i-1].
template <class T>
void exclusive_scan(const DeviceBuffer<T>& counts, DeviceBuffer<T>& places) {
  using Op = lesson08::Plus<T>;
  const unsigned tiles = lesson08::tiles_of(counts.size(), lesson08::Tile<Op, 4>::size(kBlock));
  DeviceBuffer<lesson08::Word> words(lesson08::words_for(tiles));
  COURSE_CHECK(cudaMemset(words.data(), 0, words.bytes()));
  lesson08::one_pass<Op, 4, lesson08::LookBack<true>, true>
      <<<tiles, kBlock>>>(counts.data(), counts.size(), places.data(), words.data());
  COURSE_CHECK(cudaDeviceSynchronize());
}

bool report(const char* what, const Values& got, const Values& right) {
  const bool ok = got == right;
  std::printf("%-12s %8zu results %s\n", what, got.size(), ok ? "as the CPU's" : "FAIL");
  return ok;
}

// Compaction: who is wanted counts 1; the sum of the counts before it is its place.
template <class T>
__global__ void mark_odd(const T* in, std::size_t n, T* counts) {
  if (my_index() < n) counts[my_index()] = in[my_index()] & 1;
}
template <class T>
__global__ void move_odd(const T* in, std::size_t n, const T* places, T* out) {
  if (my_index() < n && (in[my_index()] & 1) != 0) out[places[my_index()]] = in[my_index()];
}
bool compaction(const Values& x) {
  Values right;
  std::copy_if(x.begin(), x.end(), std::back_inserter(right), [](unsigned v) { return v & 1; });
  DeviceBuffer<unsigned> in(x), counts(x.size()), places(x.size()), out(x.size());
  mark_odd<<<blocks_for(x.size()), kBlock>>>(in.data(), x.size(), counts.data());
  exclusive_scan(counts, places);
  move_odd<<<blocks_for(x.size()), kBlock>>>(in.data(), x.size(), places.data(), out.data());
  const auto got = out.download(places.download().back() + counts.download().back());
  return report("compaction", got, right);
}

// One digit of a radix sort: a table with a row of counts for each digit, a column for each element.
// Its scan, row after row, says for each element how many come before it: all of smaller digits, and
// those of its own digit that are to its left. (A real sort counts blocks, not elements.)
constexpr unsigned kDigits = 4;
template <class T>
__global__ void count_digits(const T* in, std::size_t n, T* counts) {
  if (my_index() >= n) return;
  for (unsigned d = 0; d < kDigits; ++d) counts[d * n + my_index()] = in[my_index()] % kDigits == d;
}
template <class T>
__global__ void move_digits(const T* in, std::size_t n, const T* places, T* out) {
  if (my_index() >= n) return;
  const T v = in[my_index()];
  out[places[v % kDigits * n + my_index()]] = v;
}
bool one_digit(const Values& x) {
  Values right = x;
  std::stable_sort(right.begin(), right.end(),
                   [](unsigned a, unsigned b) { return a % kDigits < b % kDigits; });
  DeviceBuffer<unsigned> in(x), counts(kDigits * x.size()), places(kDigits * x.size()),
      out(x.size());
  count_digits<<<blocks_for(x.size()), kBlock>>>(in.data(), x.size(), counts.data());
  exclusive_scan(counts, places);
  move_digits<<<blocks_for(x.size()), kBlock>>>(in.data(), x.size(), places.data(), out.data());
  return report("one digit", out.download(), right);
}

// Run lengths: who differs from its left neighbour begins a run. The scan numbers the runs; each run
// stores where it begins, and its length is the distance to the next.
template <class T>
__global__ void mark_runs(const T* in, std::size_t n, T* counts) {
  const std::size_t i = my_index();
  if (i < n) counts[i] = i == 0 || in[i] != in[i - 1];
}
template <class T>
__global__ void store_runs(const T* counts, std::size_t n, const T* places, T* begins) {
  const std::size_t i = my_index();
  if (i < n && counts[i] != 0) begins[places[i]] = static_cast<T>(i);
}
bool run_lengths(Values x) {
  for (std::size_t i = 1; i < x.size(); ++i)
    if (x[i] % 8 != 0) x[i] = x[i - 1];
  Values right;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (i == 0 || x[i] != x[i - 1]) right.push_back(static_cast<unsigned>(i));
  DeviceBuffer<unsigned> in(x), counts(x.size()), places(x.size()), begins(x.size());
  mark_runs<<<blocks_for(x.size()), kBlock>>>(in.data(), x.size(), counts.data());
  exclusive_scan(counts, places);
  store_runs<<<blocks_for(x.size()), kBlock>>>(counts.data(), x.size(), places.data(),
                                               begins.data());
  const auto got = begins.download(places.download().back() + counts.download().back());
  return report("run lengths", got, right);
}

bool show_uses(course::Experiment& e) {
  const std::size_t n = e.n.value_or(20011);
  if (n == 0) throw course::UsageError{"--n 0: there is nothing to show; 1 or more is allowed"};
  Values x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<unsigned>(course::random_bits(7, i) >> 40);
  const bool compacted = compaction(x), sorted = one_digit(x);
  return run_lengths(std::move(x)) && compacted && sorted;
}

}  // namespace

int main(int argc, char** argv) {
  course::ExperimentInfo info{"08_scan", "uses", "What a scan is for."};
  info.takes_n = true;
  info.takes_json = false;
  return course::run_experiment(info, argc, argv, show_uses);
}
