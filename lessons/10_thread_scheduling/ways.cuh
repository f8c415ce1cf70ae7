// SPDX-License-Identifier: MIT
// Elements that need different code: with a branch, and without one.
#pragma once

#include "common/arrays/ways.hpp"
#include "common/check.cuh"
#include "common/launch.cuh"

namespace lesson10 {

using course::Ways;

// So many steps on one way. Its constants are in the code, so that ways are different code. A loop
// that is not unrolled: the compiler must not find out that all ways look alike.
template <unsigned kWay>
__device__ std::uint32_t walk(std::uint32_t v, int steps) {
#pragma unroll 1
  for (int i = 0; i < steps; ++i) v = course::step_on(v, course::constants_of(kWay));
  return v;
}

// One of the ways kFrom, kFrom + 1, ..., by halves.
template <unsigned kFrom = 0, unsigned kCount = course::kMostWays>
__device__ std::uint32_t branch_to(unsigned way, std::uint32_t v, int steps) {
  constexpr unsigned kHalf = kCount / 2;
  if constexpr (kCount == 1)
    return walk<kFrom>(v, steps);
  else if (way < kFrom + kHalf)
    return branch_to<kFrom, kHalf>(way, v, steps);
  else
    return branch_to<kFrom + kHalf, kHalf>(way, v, steps);
}
// All of the first `ways`, and of their results that of `way`.
template <unsigned kWay = 0>
__device__ std::uint32_t select_of_all(unsigned way, unsigned ways, std::uint32_t v, int steps) {
  if constexpr (kWay == course::kMostWays) {
    return v;
  } else {
    if (kWay >= ways) return v;  // the same for all threads
    const std::uint32_t mine = walk<kWay>(v, steps);
    const std::uint32_t others = select_of_all<kWay + 1>(way, ways, v, steps);
    return way == kWay ? mine : others;
  }
}

// Changed: nothing: this is what one writes first.
// Why:     every element is treated as it needs, and no lane does work in vain.
// Cost:    a warp goes every way that one of its lanes needs, one after the other; the others wait.
struct Branch {
  static __device__ std::uint32_t go(std::uint32_t v, unsigned way, unsigned, int steps) {
    return branch_to(way, v, steps);
  }
};

// Changed: no lane branches. All go all ways, and each keeps the result of its own.
// Why:     this is predication. Where ways are a few instructions, the compiler does it by itself, and
//          saves the branch.
// Cost:    all ways, always, also where the whole warp needs the same one.
struct AllWays {
  static __device__ std::uint32_t go(std::uint32_t v, unsigned way, unsigned ways, int steps) {
    return select_of_all(way, ways, v, steps);
  }
};

// Changed: the ways become one, and what differs becomes data: a lane's two constants.
// Why:     lanes may always have different numbers. Only different code costs.
// Cost:    it takes ways that have the same shape.
struct OwnConstants {
  static __device__ std::uint32_t go(std::uint32_t v, unsigned way, unsigned, int steps) {
    const course::WayConstants mine = course::constants_of(way);
#pragma unroll 1
    for (int i = 0; i < steps; ++i) v = course::step_on(v, mine);
    return v;
  }
};

template <class How>
__global__ void each_alone(Ways w) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < w.n; i += step) {
    const std::uint32_t v = w.in[i];
    w.out[i] = How::go(v, course::way_of(v, w.ways), w.ways, w.steps);
  }
}

template <class How>
void launch_each_alone(const Ways& w) {
  if (w.n == 0) return;
  each_alone<How><<<course::full_grid(*w.device, w.n, w.block), w.block>>>(w);
  COURSE_CHECK(cudaGetLastError());
}
inline void launch_way_branch(const Ways& w) { launch_each_alone<Branch>(w); }
inline void launch_way_all(const Ways& w) { launch_each_alone<AllWays>(w); }
inline void launch_way_constants(const Ways& w) { launch_each_alone<OwnConstants>(w); }

}  // namespace lesson10
