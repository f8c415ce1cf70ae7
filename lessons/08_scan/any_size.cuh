// SPDX-License-Identifier: MIT
// Rung any_size: the right shape for every n.
#pragma once

#include "lessons/08_scan/look_ahead.cuh"
#include "lessons/08_scan/one_wave.cuh"

namespace lesson08 {

template <int kRows, int kThreads, class T>
void launch_one_block(const Typed<T>& t) {
  one_block<Plus<T>, kRows, kThreads><<<1, kThreads>>>(t.in, static_cast<unsigned>(t.n), t.out);
  COURSE_CHECK(cudaGetLastError());
}

template <int kRows, int kThreads, class T>
void launch_one_cluster(const Typed<T>& t) {
  const unsigned blocks = tiles_of(t.n, Tile<Plus<T>, kRows>::size(kThreads));
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {blocks, 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = blocks;
  config.blockDim = kThreads;
  config.attrs = &attribute;
  config.numAttrs = 1;
  COURSE_CHECK(cudaLaunchKernelEx(&config, one_cluster<Plus<T>, kRows, kThreads>, t.in,
                                  static_cast<unsigned>(t.n), t.out));
}

template <int kRows, int kThreads, int kBlocks, class T>
void launch_one_wave(const Typed<T>& t) {
  const unsigned blocks = tiles_of(t.n, Tile<Plus<T>, kRows>::size(kThreads));
  launch_together(one_wave<Plus<T>, kRows, kThreads, kBlocks>, blocks, kThreads, 0, t.in, t.n,
                  t.out, t.words);
}

// Too long for one wave, too short for rounds: they would be over before they run in step.
constexpr std::size_t kFewRounds = 12'000'000;

template <class T>
void launch_large_tiles(const Typed<T>& t) {
  constexpr int kRows = 8, kThreads = 1024;
  const unsigned tiles = tiles_of(t.n, Tile<Plus<T>, kRows>::size(kThreads));
  one_pass<Plus<T>, kRows, LookBack<true>><<<tiles, kThreads>>>(t.in, t.n, t.out, t.words);
  COURSE_CHECK(cudaGetLastError());
}

// Changed: the array's length decides: one block, one cluster, one wave, look-back, rounds.
// Why:     a small scan is made of latencies: a launch, a load, an exchange, a store. Each shape has
//          as few exchanges as its length allows.
// Cost:    several kernels to test. The bounds are from measurements on an H200.
inline void launch_any_size(const Scan& s) {
  with_type(s, [&](auto t) {
    using T = std::remove_const_t<std::remove_pointer_t<decltype(t.in)>>;
    const auto all = static_cast<std::size_t>(t.device->multiprocessors);
    const bool clusters = t.device->sm >= 90;
    const auto fits = [&](int rows, int threads, std::size_t blocks) {
      return t.n <= Tile<Plus<T>, 1>::size(threads) * rows * blocks;
    };
    if (t.n == 0) return;
    if (fits(1, 512, 1)) return launch_one_block<1, 512>(t);
    if (fits(1, 1024, 1)) return launch_one_block<1, 1024>(t);
    if (clusters && fits(2, 512, 8)) return launch_one_cluster<2, 512>(t);
    if (fits(2, 512, 2 * all) && t.n <= 150000) return launch_one_wave<2, 512, 2>(t);
    if (fits(4, 512, 2 * all)) return launch_one_wave<4, 512, 2>(t);
    if (fits(8, 512, 2 * all)) return launch_one_wave<8, 512, 2>(t);
    if (clusters && t.aligned() && t.n > kFewRounds) return launch_look_ahead(s);
    launch_large_tiles(t);
  });
}

}  // namespace lesson08
