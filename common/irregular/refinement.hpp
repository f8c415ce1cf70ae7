// SPDX-License-Identifier: MIT
// How many points of a square grid lie inside one of several circles? A square of the grid that lies inside a
// circle, or outside all, is done with; any other is cut into four, down to 8 x 8 points, which are tried one by
// one. Where the work is, the circles say: adaptive refinement, with an answer that is a whole number.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "common/program/family.cuh"

namespace course {

struct Circles {
  static constexpr int kCount = 8;
  std::int32_t x[kCount], y[kCount], r[kCount];
};
inline constexpr int kSmallestLog = 3;  // squares of 8 x 8 points are not cut

// A square with corner (x, y) and 2^log points on each side, as one word.
struct Square {
  std::uint32_t x, y, log;
};
__host__ __device__ inline std::uint64_t as_word(const Square& s) {
  return s.x | std::uint64_t{s.y} << 24 | std::uint64_t{s.log} << 48;
}
__host__ __device__ inline Square as_square(std::uint64_t word) {
  constexpr std::uint32_t kMask = (1u << 24) - 1;
  return {static_cast<std::uint32_t>(word) & kMask, static_cast<std::uint32_t>(word >> 24) & kMask,
          static_cast<std::uint32_t>(word >> 48)};
}
__host__ __device__ inline std::uint64_t quarter_of(const Square& s, std::uint32_t i) {
  const std::uint32_t half = 1u << (s.log - 1);
  return as_word({s.x + (i & 1) * half, s.y + (i >> 1) * half, s.log - 1});
}

// Points of [from, from + length) that are below the end of the grid.
__host__ __device__ inline std::uint32_t inside_grid(std::uint32_t from, std::uint32_t length,
                                                     std::uint32_t side) {
  return from >= side ? 0 : side - from < length ? side - from : length;
}
__host__ __device__ inline bool point_inside(const Circles& c, std::int64_t x, std::int64_t y) {
  for (int i = 0; i < Circles::kCount; ++i) {
    const std::int64_t dx = x - c.x[i], dy = y - c.y[i];
    if (dx * dx + dy * dy <= std::int64_t{c.r[i]} * c.r[i]) return true;
  }
  return false;
}
// Points of a square that has been looked at, and whether it has to be cut instead.
struct Looked {
  std::uint64_t points = 0;
  bool cut = false;
};
__host__ __device__ inline Looked look_at_points(const Square& s, const Circles& c,
                                                 std::uint32_t side) {
  Looked looked;
  const std::uint32_t width = inside_grid(s.x, 1u << s.log, side);
  const std::uint32_t height = inside_grid(s.y, 1u << s.log, side);
  for (std::uint32_t i = 0; i < height; ++i)
    for (std::uint32_t k = 0; k < width; ++k) looked.points += point_inside(c, s.x + k, s.y + i);
  return looked;
}
__host__ __device__ inline Looked look_at_square(const Square& s, const Circles& c,
                                                 std::uint32_t side) {
  const std::uint32_t length = 1u << s.log;
  const std::uint64_t all =
      std::uint64_t{inside_grid(s.x, length, side)} * inside_grid(s.y, length, side);
  if (all == 0) return {};
  bool touched = false;
  for (int i = 0; i < Circles::kCount; ++i) {
    const std::int64_t r = c.r[i], left = std::int64_t{s.x} - c.x[i],
                       low = std::int64_t{s.y} - c.y[i];
    const std::int64_t right = left + length - 1, high = low + length - 1;
    const auto near = [](std::int64_t a, std::int64_t b) { return a > 0 ? a : b < 0 ? -b : 0; };
    const auto far = [](std::int64_t a, std::int64_t b) { return -a > b ? -a : b; };
    const std::int64_t x = far(left, right), y = far(low, high);
    if (x * x + y * y <= r * r) return {all, false};
    const std::int64_t nx = near(left, right), ny = near(low, high);
    touched = touched || nx * nx + ny * ny <= r * r;
  }
  return {0, touched};
}

// What is asked: points inside, and how many squares were looked at.
struct RefinementTotals {
  unsigned long long points = 0, squares = 0;
};

// Pointers are device memory.
struct Refinement {
  Circles circles;
  std::uint32_t side = 0;               // of the grid, in points
  const std::uint64_t* root = nullptr;  // one square around all of it; side 0: none
  RefinementTotals* totals = nullptr;
  std::size_t squares = 0;  // what the CPU counted: for the size of the launch
  // Room for lists and queues, aligned to 256 bytes: 48 for each square, and 1 MiB.
  std::byte* memory = nullptr;
  std::size_t memory_bytes = 0;
  const void** owner = nullptr;  // as of TreeSearch
  int block = 256;
  const Device* device = nullptr;
};

std::span<const Choice> refinement_choices();  // none
std::unique_ptr<families::ProblemOf<Refinement>> make_refinement(const families::Setup& setup);

// The grid has n / 64 points on each side (rounded up).
Circles circles_for(std::uint32_t side, std::uint64_t seed);
std::uint64_t root_square(std::uint32_t side);
RefinementTotals cpu_refinement(const Circles& circles, std::uint32_t side, unsigned threads);

}  // namespace course
