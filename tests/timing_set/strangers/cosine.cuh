// SPDX-License-Identifier: MIT
// The cosine transform of the 8x8 tiles of an image: a thread for each coefficient, a thread for each tile with local arrays and
// in place, eight threads for each tile with a fast transform of their row, and the same of bytes, in integers and quantised.
#pragma once
#include <type_traits>

#include "../set.cuh"

namespace timing_set {

// cos(k pi / 16)
__constant__ float cosine_table[32] = {
    1.0f,         0.98078528f,  0.92387953f,  0.83146961f,  0.70710678f,  0.55557023f,
    0.38268343f,  0.19509032f,  0.0f,         -0.19509032f, -0.38268343f, -0.55557023f,
    -0.70710678f, -0.83146961f, -0.92387953f, -0.98078528f, -1.0f,        -0.98078528f,
    -0.92387953f, -0.83146961f, -0.70710678f, -0.55557023f, -0.38268343f, -0.19509032f,
    0.0f,         0.19509032f,  0.38268343f,  0.55557023f,  0.70710678f,  0.83146961f,
    0.92387953f,  0.98078528f};

__device__ inline float cosine_basis(int u, int x) {
  return (u == 0 ? 0.35355339f : 0.5f) * cosine_table[(2 * x + 1) * u & 31];
}

__global__ void cosine_matrix(const float* in, float* out, int side) {
  __shared__ float tile[8][8], half[8][8];
  const int x = threadIdx.x, y = threadIdx.y;
  const int at = (blockIdx.y * 8 + y) * side + blockIdx.x * 8 + x;
  tile[y][x] = in[at];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 8; ++k) sum += cosine_basis(x, k) * tile[y][k];
  half[y][x] = sum;
  __syncthreads();
  sum = 0;
  for (int k = 0; k < 8; ++k) sum += cosine_basis(y, k) * half[k][x];
  out[at] = sum;
}

__global__ void cosine_alone(float* image, int side) {
  const int across = side / 8, tile = blockIdx.x * blockDim.x + threadIdx.x;
  if (tile >= across * across) return;
  float* corner = image + tile / across * 8 * side + tile % across * 8;
  float rows[8][8];
  for (int y = 0; y < 8; ++y)
    for (int u = 0; u < 8; ++u) {
      float sum = 0;
      for (int x = 0; x < 8; ++x) sum += corner[y * side + x] * cosine_basis(u, x);
      rows[y][u] = sum;
    }
  for (int v = 0; v < 8; ++v)
    for (int u = 0; u < 8; ++u) {
      float sum = 0;
      for (int y = 0; y < 8; ++y) sum += rows[y][u] * cosine_basis(v, y);
      corner[v * side + u] = sum;
    }
}

// Eight numbers, floats or integers (with 13 bits behind the point while they are multiplied).
template <class T>
__host__ __device__ inline void cosine_eight(T (&x)[8]) {
  constexpr bool kWhole = std::is_same_v<T, int>;
  constexpr T a = kWhole ? T(2896) : T(0.35355339f), b = kWhole ? T(3784) : T(0.46193977f),
              c = kWhole ? T(1567) : T(0.19134172f), k1 = kWhole ? T(4017) : T(0.49039264f),
              k3 = kWhole ? T(3406) : T(0.41573481f), k5 = kWhole ? T(2276) : T(0.27778512f),
              k7 = kWhole ? T(799) : T(0.09754516f);
  const T s0 = x[0] + x[7], s1 = x[1] + x[6], s2 = x[2] + x[5], s3 = x[3] + x[4];
  const T d0 = x[0] - x[7], d1 = x[1] - x[6], d2 = x[2] - x[5], d3 = x[3] - x[4];
  x[0] = (s0 + s3 + s1 + s2) * a;
  x[4] = (s0 + s3 - s1 - s2) * a;
  x[2] = (s0 - s3) * b + (s1 - s2) * c;
  x[6] = (s0 - s3) * c - (s1 - s2) * b;
  x[1] = d0 * k1 + d1 * k3 + d2 * k5 + d3 * k7;
  x[3] = d0 * k3 - d1 * k7 - d2 * k1 - d3 * k5;
  x[5] = d0 * k5 - d1 * k1 + d2 * k7 + d3 * k3;
  x[7] = d0 * k7 - d1 * k5 + d2 * k3 - d3 * k1;
  if constexpr (kWhole)
    for (int k = 0; k < 8; ++k) x[k] = (x[k] + 4096) >> 13;
}

constexpr int kCosineTiles = 16;  // of a block
__global__ void cosine_butterflies(const float* __restrict__ in, float* __restrict__ out,
                                   int side) {
  __shared__ float tiles[kCosineTiles][8][9];
  const int across = side / 8, r = threadIdx.x % 8;
  const int tile = blockIdx.x * kCosineTiles + threadIdx.x / 8;
  const bool here = tile < across * across;
  const int at = (tile / across * 8 + r) * side + tile % across * 8;
  float(&mine)[8][9] = tiles[threadIdx.x / 8];
  float x[8] = {};
  if (here) {
    const float4 left = *reinterpret_cast<const float4*>(in + at);
    const float4 right = *reinterpret_cast<const float4*>(in + at + 4);
    x[0] = left.x, x[1] = left.y, x[2] = left.z, x[3] = left.w;
    x[4] = right.x, x[5] = right.y, x[6] = right.z, x[7] = right.w;
  }
  cosine_eight(x);
#pragma unroll
  for (int k = 0; k < 8; ++k) mine[r][k] = x[k];
  __syncwarp();
#pragma unroll
  for (int k = 0; k < 8; ++k) x[k] = mine[k][r];
  cosine_eight(x);
#pragma unroll
  for (int k = 0; k < 8; ++k) mine[k][r] = x[k];
  __syncwarp();
  if (!here) return;
  float4* to = reinterpret_cast<float4*>(out + at);
  to[0] = make_float4(mine[r][0], mine[r][1], mine[r][2], mine[r][3]);
  to[1] = make_float4(mine[r][4], mine[r][5], mine[r][6], mine[r][7]);
}

__host__ __device__ constexpr int cosine_quantum(int u, int v) { return 6 + 3 * (u + v) + u * v; }

// A thread has a column of a tile, then a row of it; tiles lie one behind the other in the result.
__global__ void cosine_quantised(const unsigned char* in, int4* out, int side) {
  const int across = side / 8, lane = threadIdx.x % 8;
  const int tile = blockIdx.x * (blockDim.x / 8) + threadIdx.x / 8;
  const bool here = tile < across * across;
  int x[8] = {};
  if (here) {
    const unsigned char* from = in + tile / across * 8 * side + tile % across * 8 + lane;
#pragma unroll
    for (int k = 0; k < 8; ++k) x[k] = from[k * side] - 128;
  }
  cosine_eight(x);
#pragma unroll
  for (int s = 1; s < 8; s *= 2)
#pragma unroll
    for (int k = 0; k < 8; ++k)
      if (!(k & s)) {
        const bool odd = lane & s;
        const int got = __shfl_xor_sync(kAll, odd ? x[k] : x[k | s], s);
        if (odd)
          x[k] = got;
        else
          x[k | s] = got;
      }
  cosine_eight(x);
#pragma unroll
  for (int k = 0; k < 8; ++k) x[k] /= cosine_quantum(lane, k);
  const auto both = [&](int k) { return (x[k] & 0xffff) | x[k + 1] << 16; };
  if (here) out[tile * 8 + lane] = make_int4(both(0), both(2), both(4), both(6));
}

inline double cosine_wanted(const std::vector<float>& image, unsigned side, unsigned i) {
  const unsigned u = i % side % 8, v = i / side % 8;
  const float* corner = &image[i - u - v * side];
  const double pi16 = std::acos(-1.0) / 16;
  double sum = 0;
  for (unsigned y = 0; y < 8; ++y)
    for (unsigned x = 0; x < 8; ++x)
      sum += corner[y * side + x] * std::cos((2 * x + 1) * u * pi16) *
             std::cos((2 * y + 1) * v * pi16);
  return sum * (u ? 0.5 : std::sqrt(0.125)) * (v ? 0.5 : std::sqrt(0.125));
}
template <class Launch>
std::function<Problem(unsigned)> cosine_problem(Launch launch) {
  return [=](unsigned side) {
    auto in = uniform(side * side, 6), out = room<float>(side * side);
    return Problem{
        [=] { launch(in->data(), out->data(), static_cast<int>(side)); },
        [=] { return agrees(out, [=](unsigned i) { return cosine_wanted(in->host, side, i); }); }};
  };
}
inline Problem cosine_alone_problem(unsigned side) {
  auto image = uniform(side * side, 7);
  return Problem{[=] {
                   cosine_alone<<<blocks_of(side * side / 64, 128), 128>>>(image->data(),
                                                                           static_cast<int>(side));
                 },
                 [=] {
                   return agrees(image,
                                 [=](unsigned i) { return cosine_wanted(image->host, side, i); });
                 },
                 [=] { image->restore(); }};
}
inline Problem cosine_quantised_problem(unsigned side) {
  auto in = array<unsigned char>(
      side * side, [=](unsigned i) { return (i % side * 3 + i / side * 2 + mixed(i) % 64) & 255; });
  auto out = room<short>(side * side);
  return Problem{[=] {
                   cosine_quantised<<<blocks_of(side * side / 8, 256), 256>>>(
                       in->data(), reinterpret_cast<int4*>(out->data()), static_cast<int>(side));
                 },
                 [=] {
                   return agrees(out, [=](unsigned i) {
                     const unsigned tile = i / 64, u = i / 8 % 8, across = side / 8;
                     int row[8];
                     for (unsigned x = 0; x < 8; ++x) {
                       int column[8];
                       for (unsigned y = 0; y < 8; ++y)
                         column[y] =
                             in->host[(tile / across * 8 + y) * side + tile % across * 8 + x] - 128;
                       cosine_eight(column);
                       row[x] = column[u];
                     }
                     cosine_eight(row);
                     return row[i % 8] / cosine_quantum(static_cast<int>(u), i % 8);
                   });
                 }};
}

inline void add_cosine(Set& set) {
  set.add("cosine_matrix", {96, 1000, 3000}, cosine_problem([](float* in, float* out, int side) {
            cosine_matrix<<<dim3(side / 8, side / 8), dim3(8, 8)>>>(in, out, side);
          }));
  set.add("cosine_alone", {96, 1000, 3000}, cosine_alone_problem);
  set.add("cosine_butterflies", {96, 1000, 3000},
          cosine_problem([](float* in, float* out, int side) {
            cosine_butterflies<<<blocks_of(side * side / 64, kCosineTiles), kCosineTiles * 8>>>(
                in, out, side);
          }));
  set.add("cosine_quantised", {96, 1496, 4800}, cosine_quantised_problem);
}

}  // namespace timing_set
