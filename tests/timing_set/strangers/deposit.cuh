// SPDX-License-Identifier: MIT
// Charges of particles onto a grid and forces back from it: an atomic sum for each of four corners, structs into few
// counters, sorted particles through a tile in shared memory, and a push of the particles by a field in halves.
#pragma once
#include <cuda_fp16.h>

#include "../set.cuh"

namespace timing_set {

constexpr int kDepositTile = 16;
constexpr float kDepositStep = 0.125f;

__global__ void deposit_corners(const float* x, const float* y, const float* charge, float* grid,
                                int side, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int left = static_cast<int>(x[i]), low = static_cast<int>(y[i]);
  const float fx = x[i] - left, fy = y[i] - low, q = charge[i];
  const int right = left + 1 == side ? 0 : left + 1, high = low + 1 == side ? 0 : low + 1;
  atomicAdd(&grid[low * side + left], q * (1 - fx) * (1 - fy));
  atomicAdd(&grid[low * side + right], q * fx * (1 - fy));
  atomicAdd(&grid[high * side + left], q * (1 - fx) * fy);
  atomicAdd(&grid[high * side + right], q * fx * fy);
}

struct DepositParticle {
  float x, y, z, vx, vy, vz, charge;
  int kind;  // 0: gone
};
constexpr int kDepositBins = 8, kDepositKinds = 4;
__global__ void deposit_bins(const DepositParticle* particles, unsigned* bins, float scale, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (particles[i].kind == 0) return;
  const int bx = static_cast<int>(particles[i].x * scale);
  const int by = static_cast<int>(particles[i].y * scale);
  const unsigned units = static_cast<unsigned>(particles[i].charge * 256 + 0.5f);
  atomicAdd(&bins[(particles[i].kind * kDepositBins + by) * kDepositBins + bx], units);
}

// A block has the particles of one tile; what lies within it belongs to the block alone.
__global__ void deposit_tiles(const float2* at, const float* charge, const int* start, float* grid,
                              int side) {
  constexpr int kWidth = kDepositTile + 1;
  __shared__ float part[kWidth][kWidth];
  const int x0 = blockIdx.x * kDepositTile, y0 = blockIdx.y * kDepositTile;
  const int tile = blockIdx.y * gridDim.x + blockIdx.x;
  for (int k = threadIdx.x; k < kWidth * kWidth; k += blockDim.x) part[k / kWidth][k % kWidth] = 0;
  __syncthreads();
  const int end = start[tile + 1];
  for (int i = start[tile] + threadIdx.x; i < end; i += blockDim.x) {
    const float2 p = at[i];
    const float q = charge[i];
    const int left = static_cast<int>(p.x), low = static_cast<int>(p.y);
    const float fx = p.x - left, fy = p.y - low;
    const int lx = left - x0, ly = low - y0;
    atomicAdd(&part[ly][lx], q * (1 - fx) * (1 - fy));
    atomicAdd(&part[ly][lx + 1], q * fx * (1 - fy));
    atomicAdd(&part[ly + 1][lx], q * (1 - fx) * fy);
    atomicAdd(&part[ly + 1][lx + 1], q * fx * fy);
  }
  __syncthreads();
  for (int k = threadIdx.x; k < kWidth * kWidth; k += blockDim.x) {
    const int lx = k % kWidth, ly = k / kWidth;
    float* node = &grid[(y0 + ly) % side * side + (x0 + lx) % side];
    if (lx > 0 && lx < kDepositTile && ly > 0 && ly < kDepositTile)
      *node = part[ly][lx];
    else
      atomicAdd(node, part[ly][lx]);
  }
}

__global__ void __launch_bounds__(512)
    deposit_push(float4* particles, const __half2* field, int side, int n) {
  for (int i = blockIdx.x * 512 + threadIdx.x; i < n; i += gridDim.x * 512) {
    float4 p = particles[i];  // place and velocity
    const int left = static_cast<int>(p.x), low = static_cast<int>(p.y);
    const float fx = p.x - left, fy = p.y - low;
    const int right = left + 1 == side ? 0 : left + 1, high = low + 1 == side ? 0 : low + 1;
    const float2 a = __half22float2(field[low * side + left]);
    const float2 b = __half22float2(field[low * side + right]);
    const float2 c = __half22float2(field[high * side + left]);
    const float2 d = __half22float2(field[high * side + right]);
    const float ex = (1 - fy) * (a.x + fx * (b.x - a.x)) + fy * (c.x + fx * (d.x - c.x));
    const float ey = (1 - fy) * (a.y + fx * (b.y - a.y)) + fy * (c.y + fx * (d.y - c.y));
    p.z += kDepositStep * ex;
    p.w += kDepositStep * ey;
    p.x = fminf(fmaxf(p.x + kDepositStep * p.z, 0), side - 0.25f);
    p.y = fminf(fmaxf(p.y + kDepositStep * p.w, 0), side - 0.25f);
    particles[i] = p;
  }
}

constexpr unsigned deposit_side(unsigned n) { return n < 10000 ? 64 : n < 1000000 ? 256 : 992; }
// More of them where x is small.
inline float deposit_x(unsigned i, unsigned side) {
  const float u = (mixed(2 * i) >> 12) / 1048576.0f;
  return (0.25f + 0.75f * u) * u * side;
}
inline float deposit_y(unsigned i, unsigned side) {
  return (mixed(2 * i + 1) >> 12) / 1048576.0f * side;
}

inline Problem deposit_grid_problem(unsigned n, bool tiled) {
  const unsigned side = deposit_side(n), tiles = side / kDepositTile;
  std::vector<float> x(n), y(n);
  std::vector<float2> at(n);
  std::vector<int> start(tiles * tiles + 1);
  const auto tile_of = [=](unsigned i) {
    return static_cast<unsigned>(deposit_y(i, side)) / kDepositTile * tiles +
           static_cast<unsigned>(deposit_x(i, side)) / kDepositTile;
  };
  for (unsigned i = 0; i < n; ++i) ++start[tile_of(i) + 1];
  for (unsigned t = 0; t < tiles * tiles; ++t) start[t + 1] += start[t];
  std::vector<int> next = start;
  for (unsigned i = 0; i < n; ++i) {
    const int to = tiled ? next[tile_of(i)]++ : static_cast<int>(i);
    at[to] = {deposit_x(i, side), deposit_y(i, side)};
    x[to] = at[to].x;
    y[to] = at[to].y;
  }
  auto xs = array(x), ys = array(y), charge = uniform(n, 3), grid = room<float>(side * side);
  auto pairs = array(at);
  auto starts = array(start);
  return {[=] {
            const int s = static_cast<int>(side);
            if (tiled)
              deposit_tiles<<<dim3(tiles, tiles), 192>>>(pairs->data(), charge->data(),
                                                         starts->data(), grid->data(), s);
            else
              deposit_corners<<<blocks_of(n), kBlock>>>(xs->data(), ys->data(), charge->data(),
                                                        grid->data(), s, static_cast<int>(n));
          },
          [=] {
            std::vector<double> sums(side * side);
            for (unsigned i = 0; i < n; ++i) {
              const unsigned left = static_cast<unsigned>(xs->host[i]);
              const unsigned low = static_cast<unsigned>(ys->host[i]);
              const double fx = xs->host[i] - left, fy = ys->host[i] - low, q = charge->host[i];
              const unsigned right = (left + 1) % side, high = (low + 1) % side;
              sums[low * side + left] += q * (1 - fx) * (1 - fy);
              sums[low * side + right] += q * fx * (1 - fy);
              sums[high * side + left] += q * (1 - fx) * fy;
              sums[high * side + right] += q * fx * fy;
            }
            return agrees(grid, [&](unsigned i) { return sums[i]; });
          },
          [=] { clear(grid); }};
}

inline Problem deposit_bins_problem(unsigned n) {
  const unsigned side = deposit_side(n);
  auto in = array<DepositParticle>(n, [=](unsigned i) {
    const float u = (mixed(i + 5) >> 16) / 65536.0f;
    return DepositParticle{deposit_x(i, side),
                           deposit_y(i, side),
                           u,
                           1 - u,
                           u * u,
                           0,
                           u,
                           static_cast<int>(mixed(i) % kDepositKinds)};
  });
  auto bins = room<unsigned>(kDepositKinds * kDepositBins * kDepositBins);
  const float scale = static_cast<float>(kDepositBins) / side;
  return {[=] {
            deposit_bins<<<blocks_of(n, 128), 128>>>(in->data(), bins->data(), scale,
                                                     static_cast<int>(n));
          },
          [=] {
            std::vector<unsigned> sums(bins->size());
            for (const DepositParticle& p : in->host)
              if (p.kind != 0)
                sums[(p.kind * kDepositBins + static_cast<int>(p.y * scale)) * kDepositBins +
                     static_cast<int>(p.x * scale)] += static_cast<unsigned>(p.charge * 256 + 0.5f);
            return agrees(
                bins, [&](unsigned i) { return sums[i]; }, 0);
          },
          [=] { clear(bins); }};
}

inline Problem deposit_push_problem(unsigned n) {
  const unsigned side = deposit_side(n);
  auto particles = array<float>(4 * n, [=](unsigned i) {
    return i % 4 == 0   ? deposit_x(i / 4, side)
           : i % 4 == 1 ? deposit_y(i / 4, side)
                        : (mixed(i) >> 16) / 32768.0f - 1;
  });
  auto field = array<__half>(
      2 * side * side, [](unsigned i) { return __float2half((mixed(i + 9) >> 24) / 64.0f - 2); });
  return {
      [=] {
        deposit_push<<<std::min(264u, blocks_of(n, 512)), 512>>>(
            reinterpret_cast<float4*>(particles->data()),
            reinterpret_cast<const __half2*>(field->data()), static_cast<int>(side),
            static_cast<int>(n));
      },
      [=] {
        return agrees(particles, [=](unsigned i) {
          const float* p = &particles->host[i / 4 * 4];
          const unsigned way = i % 2, left = static_cast<unsigned>(p[0]);
          const unsigned low = static_cast<unsigned>(p[1]);
          const auto force = [=](unsigned x, unsigned y) {
            return static_cast<double>(
                __half2float(field->host[2 * (y % side * side + x % side) + way]));
          };
          const double fx = p[0] - left, fy = p[1] - low;
          const double e = (1 - fy) * ((1 - fx) * force(left, low) + fx * force(left + 1, low)) +
                           fy * ((1 - fx) * force(left, low + 1) + fx * force(left + 1, low + 1));
          const double v = p[2 + way] + kDepositStep * e;
          return i % 4 >= 2 ? v : std::min(std::max(p[way] + kDepositStep * v, 0.0), side - 0.25);
        });
      },
      [=] { particles->restore(); }};
}

inline void add_deposit(Set& set) {
  const std::vector<unsigned> sizes = {6000, 200000, 3500000};
  set.add("deposit_corners", sizes, [](unsigned n) { return deposit_grid_problem(n, false); });
  set.add("deposit_bins", sizes, deposit_bins_problem);
  set.add("deposit_tiles", sizes, [](unsigned n) { return deposit_grid_problem(n, true); });
  set.add("deposit_push", sizes, deposit_push_problem);
}

}  // namespace timing_set
