// SPDX-License-Identifier: MIT
// One step of a lattice Boltzmann fluid in the plane with nine directions: what flows in is pulled (a plane for each
// direction), cells are structs, what flows out is pushed past obstacles, and in place two cells at a time.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr int kBoltzmannWays = 9;
constexpr float kBoltzmannOmega = 1.25f;
__host__ __device__ constexpr int boltzmann_x(int k) {
  constexpr int table[kBoltzmannWays] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
  return table[k];
}
__host__ __device__ constexpr int boltzmann_y(int k) {
  constexpr int table[kBoltzmannWays] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
  return table[k];
}
__host__ __device__ constexpr int boltzmann_opposite(int k) {
  constexpr int table[kBoltzmannWays] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
  return table[k];
}
__host__ __device__ constexpr float boltzmann_weight(int k) {
  return k == 0 ? 4 / 9.0f : k < 5 ? 1 / 9.0f : 1 / 36.0f;
}
__host__ __device__ constexpr int boltzmann_wrap(int at, int side) {
  return at < 0 ? at + side : at >= side ? at - side : at;
}

template <class T>
__host__ __device__ inline void boltzmann_collide(T (&f)[kBoltzmannWays]) {
  T rho = 0, ux = 0, uy = 0;
  for (int k = 0; k < kBoltzmannWays; ++k) {
    rho += f[k];
    ux += boltzmann_x(k) * f[k];
    uy += boltzmann_y(k) * f[k];
  }
  ux /= rho;
  uy /= rho;
  const T square = T(1.5) * (ux * ux + uy * uy);
  for (int k = 0; k < kBoltzmannWays; ++k) {
    const T along = 3 * (boltzmann_x(k) * ux + boltzmann_y(k) * uy);
    const T equal = boltzmann_weight(k) * rho * (1 + along + T(0.5) * along * along - square);
    f[k] += kBoltzmannOmega * (equal - f[k]);
  }
}

__global__ void boltzmann_pull(const float* __restrict__ in, float* __restrict__ out, int side) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= side || y >= side) return;
  const int cells = side * side;
  float f[kBoltzmannWays];
#pragma unroll
  for (int k = 0; k < kBoltzmannWays; ++k) {
    const int from_x = boltzmann_wrap(x - boltzmann_x(k), side);
    const int from_y = boltzmann_wrap(y - boltzmann_y(k), side);
    f[k] = in[k * cells + from_y * side + from_x];
  }
  boltzmann_collide(f);
#pragma unroll
  for (int k = 0; k < kBoltzmannWays; ++k) out[k * cells + y * side + x] = f[k];
}

struct BoltzmannCell {
  float f[kBoltzmannWays];
};
__global__ void boltzmann_structs(const BoltzmannCell* in, BoltzmannCell* out, int side) {
  const int cell = blockIdx.x * blockDim.x + threadIdx.x;
  if (cell >= side * side) return;
  const int x = cell % side, y = cell / side;
  BoltzmannCell mine;
  for (int k = 0; k < kBoltzmannWays; ++k) {
    const int from_x = (x - boltzmann_x(k) + side) % side;
    const int from_y = (y - boltzmann_y(k) + side) % side;
    mine.f[k] = in[from_y * side + from_x].f[k];
  }
  boltzmann_collide(mine.f);
  out[cell] = mine;
}

__global__ void boltzmann_push(const float* in, const unsigned char* solid, float* out, int side) {
  const int cells = side * side, y = blockIdx.y;
  for (int x = threadIdx.x; x < side; x += blockDim.x) {
    const int cell = y * side + x;
    float f[kBoltzmannWays];
    if (solid[cell]) {
#pragma unroll
      for (int k = 0; k < kBoltzmannWays; ++k) f[k] = in[boltzmann_opposite(k) * cells + cell];
    } else {
#pragma unroll
      for (int k = 0; k < kBoltzmannWays; ++k) f[k] = in[k * cells + cell];
      boltzmann_collide(f);
    }
#pragma unroll
    for (int k = 0; k < kBoltzmannWays; ++k) {
      const int to_x = boltzmann_wrap(x + boltzmann_x(k), side);
      const int to_y = boltzmann_wrap(y + boltzmann_y(k), side);
      out[k * cells + to_y * side + to_x] = f[k];
    }
  }
}

// The even step of the pattern that needs one copy only: nothing moves, directions change places.
__global__ void __launch_bounds__(64) boltzmann_pairs(float2* cells, int pairs) {
  const int pair = blockIdx.x * 64 + threadIdx.x;
  if (pair >= pairs) return;
  float f[kBoltzmannWays], g[kBoltzmannWays];
#pragma unroll
  for (int k = 0; k < kBoltzmannWays; ++k) {
    const float2 both = cells[k * pairs + pair];
    f[k] = both.x;
    g[k] = both.y;
  }
  boltzmann_collide(f);
  boltzmann_collide(g);
#pragma unroll
  for (int k = 0; k < kBoltzmannWays; ++k)
    cells[boltzmann_opposite(k) * pairs + pair] = make_float2(f[k], g[k]);
}

enum class Boltzmann { Pull, Structs, Push, Pairs };

inline Problem boltzmann_problem(Boltzmann kind, unsigned n) {
  const int side = static_cast<int>(n), cells = side * side;
  const bool structs = kind == Boltzmann::Structs;
  const auto at = [=](int k, int cell) {
    return structs ? cell * kBoltzmannWays + k : k * cells + cell;
  };
  auto in = array<float>(cells * kBoltzmannWays, [=](unsigned i) {
    const int k = structs ? i % kBoltzmannWays : i / cells;
    return boltzmann_weight(k) * (1 + 0.25f * (mixed(i + 77) >> 16) / 65536.0f);
  });
  auto solid = array<unsigned char>(cells, [=](unsigned i) {
    const int x = static_cast<int>(i) % side, y = static_cast<int>(i) / side;
    const int dx = x - side / 4, dy = y - side / 2;
    return y == 0 || y == side - 1 || dx * dx + dy * dy < side * side / 50;
  });
  auto out = kind == Boltzmann::Pairs ? in : room<float>(cells * kBoltzmannWays);
  const auto launch = [=] {
    if (kind == Boltzmann::Pull)
      boltzmann_pull<<<dim3(blocks_of(n, 32), blocks_of(n, 8)), dim3(32, 8)>>>(in->data(),
                                                                               out->data(), side);
    else if (kind == Boltzmann::Structs)
      boltzmann_structs<<<blocks_of(cells), kBlock>>>(
          reinterpret_cast<const BoltzmannCell*>(in->data()),
          reinterpret_cast<BoltzmannCell*>(out->data()), side);
    else if (kind == Boltzmann::Push)
      boltzmann_push<<<dim3(1, n), 128>>>(in->data(), solid->data(), out->data(), side);
    else
      boltzmann_pairs<<<blocks_of(cells / 2, 64), 64>>>(reinterpret_cast<float2*>(in->data()),
                                                        cells / 2);
  };
  const auto wanted = [=](unsigned i) {
    const int k = structs ? i % kBoltzmannWays : i / cells;
    const int cell = structs ? i / kBoltzmannWays : i % cells;
    const auto beside = [=](int way) {  // where that way comes from
      return boltzmann_wrap(cell / side - boltzmann_y(way), side) * side +
             boltzmann_wrap(cell % side - boltzmann_x(way), side);
    };
    double f[kBoltzmannWays];
    for (int way = 0; way < kBoltzmannWays; ++way) {
      const int from = kind == Boltzmann::Push    ? beside(k)
                       : kind == Boltzmann::Pairs ? cell
                                                  : beside(way);
      f[way] = in->host[at(way, from)];
    }
    if (kind == Boltzmann::Push && solid->host[beside(k)]) return f[boltzmann_opposite(k)];
    boltzmann_collide(f);
    return kind == Boltzmann::Pairs ? f[boltzmann_opposite(k)] : f[k];
  };
  Problem problem{launch, [=] { return agrees(out, wanted, 2e-6); }};
  if (kind == Boltzmann::Pairs) problem.reset = [=] { in->restore(); };
  return problem;
}

inline void add_boltzmann(Set& set) {
  const std::vector<unsigned> sizes = {60, 320, 1200};
  const auto of = [](Boltzmann kind) {
    return [=](unsigned n) { return boltzmann_problem(kind, n); };
  };
  set.add("boltzmann_pull", sizes, of(Boltzmann::Pull));
  set.add("boltzmann_structs", sizes, of(Boltzmann::Structs));
  set.add("boltzmann_push", sizes, of(Boltzmann::Push));
  set.add("boltzmann_pairs", sizes, of(Boltzmann::Pairs));
}

}  // namespace timing_set
