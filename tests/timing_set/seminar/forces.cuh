// SPDX-License-Identifier: MIT
// Forces between particles: in space between all pairs, in tiles that a block keeps in shared memory; and in the plane
// between those that are nearer than a cut-off of one, with the particles in cells of that size: as a linked list for each
// cell, sorted by cell with a thread for a particle, and sorted by cell with a block for a cell that brings one cell around
// it after the other into shared memory.
#pragma once

#include "../set.cuh"

namespace timing_set {

constexpr unsigned kForcesTile = 128;  // particles of a tile, and threads of its block
constexpr unsigned kForcesCell = 64;  // threads of a block that has a cell: about twelve are needed
constexpr float kForcesSoft = 0.01f;

// bodies: position and mass; out: three numbers for each
__global__ void forces_pairs(const float4* bodies, float* out, unsigned n) {
  __shared__ float4 tile[kForcesTile];
  const unsigned i = blockIdx.x * kForcesTile + threadIdx.x;
  const float4 nothing = make_float4(0, 0, 0, 0);
  const float4 me = i < n ? bodies[i] : nothing;
  float fx = 0, fy = 0, fz = 0;
  for (unsigned first = 0; first < n; first += kForcesTile) {
    tile[threadIdx.x] = first + threadIdx.x < n ? bodies[first + threadIdx.x] : nothing;
    __syncthreads();
    for (unsigned j = 0; j < kForcesTile; ++j) {
      const float4 other = tile[j];
      const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + kForcesSoft);
      const float factor = other.w * inverse * inverse * inverse;
      fx += factor * dx;
      fy += factor * dy;
      fz += factor * dz;
    }
    __syncthreads();
  }
  if (i >= n) return;
  out[3 * i] = me.w * fx;
  out[3 * i + 1] = me.w * fy;
  out[3 * i + 2] = me.w * fz;
}

// Adds what a charge at (dx, dy) from here does, if it is near enough; nothing, if it is just here.
__host__ __device__ inline void forces_add(float dx, float dy, float charge, float& fx, float& fy) {
  const float square = dx * dx + dy * dy;
  if (square >= 1) return;
  const float left = 1 - square;
  const float factor = charge * left * left / sqrtf(square + kForcesSoft);
  fx -= factor * dx;
  fy -= factor * dy;
}

// heads: the first particle of each cell; next: the one after it in its cell, or -1
__global__ void forces_linked(const float* xs, const float* ys, const float* charges,
                              const int* heads, const int* next, float* out_x, float* out_y,
                              int side, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = xs[i], y = ys[i];
  const int column = static_cast<int>(x), row = static_cast<int>(y);
  float fx = 0, fy = 0;
  for (int r = max(row - 1, 0); r <= min(row + 1, side - 1); ++r)
    for (int c = max(column - 1, 0); c <= min(column + 1, side - 1); ++c)
      for (int j = heads[r * side + c]; j >= 0; j = next[j])
        forces_add(xs[j] - x, ys[j] - y, charges[j], fx, fy);
  out_x[i] = charges[i] * fx;
  out_y[i] = charges[i] * fy;
}

// Particles of cell c: from starts[c] up to starts[c + 1]. Those of three cells of a row are together.
__global__ void forces_sorted(const float2* __restrict__ places, const float* __restrict__ charges,
                              const int* __restrict__ starts, float2* __restrict__ out, int side,
                              unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float2 me = places[i];
  const int column = static_cast<int>(me.x), row = static_cast<int>(me.y);
  const int left = max(column - 1, 0), right = min(column + 1, side - 1);
  float fx = 0, fy = 0;
  for (int r = max(row - 1, 0); r <= min(row + 1, side - 1); ++r) {
    const int end = starts[r * side + right + 1];
    for (int j = starts[r * side + left]; j < end; ++j) {
      const float2 other = places[j];
      forces_add(other.x - me.x, other.y - me.y, charges[j], fx, fy);
    }
  }
  out[i] = make_float2(charges[i] * fx, charges[i] * fy);
}

__global__ void __launch_bounds__(kForcesCell)
    forces_cells(const float2* places, const float* charges, const int* starts, float2* out,
                 int side) {
  __shared__ float2 place[kForcesCell];
  __shared__ float charge[kForcesCell];
  const int column = blockIdx.x, row = blockIdx.y;
  const int tid = threadIdx.x, threads = kForcesCell;
  const int begin = starts[row * side + column], end = starts[row * side + column + 1];
  for (int base = begin; base < end; base += threads) {
    const int i = base + tid;
    const float2 me = i < end ? places[i] : make_float2(0, 0);
    float fx = 0, fy = 0;
    for (int r = max(row - 1, 0); r <= min(row + 1, side - 1); ++r) {
      for (int c = max(column - 1, 0); c <= min(column + 1, side - 1); ++c) {
        const int last = starts[r * side + c + 1];
        for (int first = starts[r * side + c]; first < last; first += threads) {
          if (first + tid < last) {
            place[tid] = places[first + tid];
            charge[tid] = charges[first + tid];
          }
          __syncthreads();
          if (i < end)
            for (int j = 0; j < min(last - first, threads); ++j)
              forces_add(place[j].x - me.x, place[j].y - me.y, charge[j], fx, fy);
          __syncthreads();
        }
      }
    }
    if (i < end) out[i] = make_float2(charges[i] * fx, charges[i] * fy);
  }
}

// A square of side x side cells with n particles, sorted by cell or as they come.
struct ForcesBox {
  int side;
  std::vector<float> x, y, charge;
  std::vector<int> starts;  // if they are sorted

  int cell(unsigned i) const { return static_cast<int>(y[i]) * side + static_cast<int>(x[i]); }
  unsigned size() const { return static_cast<unsigned>(x.size()); }

  // For numbers of both directions, one after the other; by looking at all particles.
  bool right(const Shared<float>& both) const {
    return agrees(both, [this](unsigned k) {
      const std::vector<float>&across = k % 2 ? y : x, &other = k % 2 ? x : y;
      const unsigned i = k / 2;
      double sum = 0;
      for (unsigned j = 0; j < size(); ++j) {
        const double d = across[j] - across[i], e = other[j] - other[i], square = d * d + e * e;
        if (square < 1)
          sum -= charge[j] * (1 - square) * (1 - square) / std::sqrt(square + kForcesSoft) * d;
      }
      return charge[i] * sum;
    });
  }
};

inline ForcesBox forces_box(unsigned n, bool sorted) {
  ForcesBox box{std::max(1, static_cast<int>(std::sqrt(n / 12.0))), {}, {}, {}, {}};
  const auto random = [](unsigned i) { return static_cast<float>(mixed(i) >> 16) / 65536; };
  for (unsigned i = 0; i < n; ++i) {
    box.x.push_back(random(4 * i) * static_cast<float>(box.side));
    box.y.push_back(random(4 * i + 1) * static_cast<float>(box.side));
    box.charge.push_back(random(4 * i + 2) - 0.5f);
  }
  if (!sorted) return box;
  const ForcesBox old = box;
  box.starts.assign(static_cast<std::size_t>(box.side) * box.side + 1, 0);
  for (unsigned i = 0; i < n; ++i) ++box.starts[old.cell(i) + 1];
  for (std::size_t c = 1; c < box.starts.size(); ++c) box.starts[c] += box.starts[c - 1];
  std::vector<int> at = box.starts;
  for (unsigned i = 0; i < n; ++i) {
    const int to = at[old.cell(i)]++;
    box.x[to] = old.x[i];
    box.y[to] = old.y[i];
    box.charge[to] = old.charge[i];
  }
  return box;
}

inline Problem forces_pairs_problem(unsigned n) {
  auto bodies = uniform(4 * n, 61), out = room<float>(3 * n);
  return Problem{[=] {
                   forces_pairs<<<blocks_of(n, kForcesTile), kForcesTile>>>(
                       reinterpret_cast<const float4*>(bodies->data()), out->data(), n);
                 },
                 [=] {
                   return agrees(out, [&](unsigned k) {
                     const float* all = bodies->host.data();
                     const float* me = all + k / 3 * 4;
                     double sum = 0;
                     for (const float* other = all; other < all + 4 * n; other += 4) {
                       double square = kForcesSoft;
                       for (int d = 0; d < 3; ++d) square += std::pow(other[d] - me[d], 2);
                       sum += other[3] * (other[k % 3] - me[k % 3]) / (square * std::sqrt(square));
                     }
                     return me[3] * sum;
                   });
                 }};
}

inline Problem forces_linked_problem(unsigned n) {
  const auto box = std::make_shared<ForcesBox>(forces_box(n, false));
  std::vector<int> first(static_cast<std::size_t>(box->side) * box->side, -1), after(n);
  for (unsigned i = 0; i < n; ++i) {
    after[i] = first[box->cell(i)];
    first[box->cell(i)] = static_cast<int>(i);
  }
  auto heads = array(std::move(first)), next = array(std::move(after));
  auto x = array(box->x), y = array(box->y), charge = array(box->charge);
  auto out_x = room<float>(n), out_y = room<float>(n);
  return Problem{[=] {
                   forces_linked<<<blocks_of(n, 128), 128>>>(
                       x->data(), y->data(), charge->data(), heads->data(), next->data(),
                       out_x->data(), out_y->data(), box->side, n);
                 },
                 [=] {
                   const std::vector<float> fx = out_x->device.download();
                   const std::vector<float> fy = out_y->device.download();
                   return box->right(array<float>(
                       2 * fx.size(), [&](unsigned k) { return k % 2 ? fy[k / 2] : fx[k / 2]; }));
                 }};
}

// What both kernels on sorted particles have in common: launch(places, charges, starts, out, side).
template <class Launch>
Problem forces_in_order(unsigned n, Launch launch) {
  const auto box = std::make_shared<ForcesBox>(forces_box(n, true));
  auto places = array<float>(2 * n, [&](unsigned k) { return (k % 2 ? box->y : box->x)[k / 2]; });
  auto charge = array(box->charge);
  auto starts = array(box->starts);
  auto out = room<float>(2 * n);
  return Problem{[=] {
                   launch(reinterpret_cast<const float2*>(places->data()), charge->data(),
                          starts->data(), reinterpret_cast<float2*>(out->data()), box->side);
                 },
                 [=] { return box->right(out); }};
}

inline Problem forces_sorted_problem(unsigned n) {
  return forces_in_order(
      n, [n](const float2* places, const float* charges, const int* starts, float2* out, int side) {
        forces_sorted<<<blocks_of(n), kBlock>>>(places, charges, starts, out, side, n);
      });
}

inline Problem forces_cells_problem(unsigned n) {
  return forces_in_order(
      n, [](const float2* places, const float* charges, const int* starts, float2* out, int side) {
        const unsigned cells = static_cast<unsigned>(side);
        forces_cells<<<dim3(cells, cells), kForcesCell>>>(places, charges, starts, out, side);
      });
}

inline void add_forces(Set& set) {
  const std::vector<unsigned> sizes = {1201, 25000, 100000};
  set.add("forces_pairs", {300, 1900, 4700}, forces_pairs_problem);
  set.add("forces_linked", sizes, forces_linked_problem);
  set.add("forces_sorted", sizes, forces_sorted_problem);
  set.add("forces_cells", sizes, forces_cells_problem);
}

}  // namespace timing_set
