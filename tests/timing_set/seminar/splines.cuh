// SPDX-License-Identifier: MIT
// Piecewise polynomials at many places in no order: straight lines in a table of a function, cubic splines in double
// whose knots are searched for, cubic splines with even knots from shared memory, with their slopes, and smooth heights
// between the points of a map of short integers.
#pragma once

#include "../set.cuh"

namespace timing_set {

__global__ void splines_table(const float* x, const float* table, float* y, float low, float scale,
                              int knots, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  const float t = (x[i] - low) * scale;
  const int k = max(0, min(static_cast<int>(t), knots - 2));
  const float part = t - k;
  y[i] = table[k] + part * (table[k + 1] - table[k]);
}

template <class T>
struct SplinesPiece {
  T a, b, c, d;  // a + b t + c t t + d t t t
};

__global__ void __launch_bounds__(128)
    splines_search(const double* x, const double* knots, const SplinesPiece<double>* pieces,
                   double* y, int count, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double at = fmin(fmax(x[i], knots[0]), knots[count - 1]);
  int low = 0, high = count - 1;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (knots[middle] <= at)
      low = middle;
    else
      high = middle;
  }
  const double t = at - knots[low];
  const SplinesPiece<double> p = pieces[low];
  y[i] = p.a + t * (p.b + t * (p.c + t * p.d));
}

constexpr int kSplinesPieces = 300;

__global__ void __launch_bounds__(512)
    splines_shared(const float* __restrict__ x, const float4* __restrict__ pieces,
                   float* __restrict__ y, float* __restrict__ slope, float low, float step,
                   unsigned n) {
  __shared__ float4 mine[kSplinesPieces];
  for (int k = threadIdx.x; k < kSplinesPieces; k += blockDim.x) mine[k] = pieces[k];
  __syncthreads();
  const float inverse = 1 / step;
  for (unsigned i = thread_number(); i < n; i += gridDim.x * blockDim.x) {
    const float at = x[i] - low;
    const int k = max(0, min(static_cast<int>(at * inverse), kSplinesPieces - 1));
    const float t = at - k * step;
    const float4 p = mine[k];
    y[i] = p.x + t * (p.y + t * (p.z + t * p.w));
    slope[i] = p.y + t * (2 * p.z + t * 3 * p.w);
  }
}

// The curve through b and c, whose slopes are those of the chords from a to c and from b to d.
template <class T>
__host__ __device__ inline T splines_through(T a, T b, T c, T d, T t) {
  return b + T(0.5) * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

constexpr int kSplinesWidth = 1600, kSplinesHeight = 1100;

template <class T>
__host__ __device__ inline T splines_height(const short* map, T x, T y) {
  const int column = static_cast<int>(floor(x)), row = static_cast<int>(floor(y));
  T across[4];
  for (int r = 0; r < 4; ++r) {
    T at[4];
    for (int c = 0; c < 4; ++c) {
      int px = column + c - 1, py = row + r - 1;  // the map goes on as it ends
      px = px < 0 ? 0 : px >= kSplinesWidth ? kSplinesWidth - 1 : px;
      py = py < 0 ? 0 : py >= kSplinesHeight ? kSplinesHeight - 1 : py;
      at[c] = map[py * kSplinesWidth + px];
    }
    across[r] = splines_through(at[0], at[1], at[2], at[3], x - column);
  }
  return splines_through(across[0], across[1], across[2], across[3], y - row);
}

__global__ void splines_map(const float2* place, const short* map, float* height, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float2 at = place[i];
  height[i] = splines_height(map, at.x, at.y);
}

// The smooth curve through all points whose ends are straight.
template <class T>
std::vector<SplinesPiece<T>> splines_natural(const std::vector<double>& x,
                                             const std::vector<double>& y) {
  const std::size_t last = x.size() - 1;
  std::vector<double> bend(last + 1), ratio(last + 1), rest(last + 1);
  for (std::size_t k = 1; k < last; ++k) {  // down the three diagonals
    const double left = x[k] - x[k - 1], right = x[k + 1] - x[k];
    const double wanted = 3 * ((y[k + 1] - y[k]) / right - (y[k] - y[k - 1]) / left);
    const double diagonal = 2 * (left + right) - left * ratio[k - 1];
    ratio[k] = right / diagonal;
    rest[k] = (wanted - left * rest[k - 1]) / diagonal;
  }
  for (std::size_t k = last; k-- > 1;) bend[k] = rest[k] - ratio[k] * bend[k + 1];
  std::vector<SplinesPiece<T>> pieces(last);
  for (std::size_t k = 0; k < last; ++k) {
    const double h = x[k + 1] - x[k];
    pieces[k] = {T(y[k]), T((y[k + 1] - y[k]) / h - h * (2 * bend[k] + bend[k + 1]) / 3),
                 T(bend[k]), T((bend[k + 1] - bend[k]) / (3 * h))};
  }
  return pieces;
}

inline Problem splines_table_problem(unsigned n) {
  const int knots = 4097;
  auto x = uniform(n, 51);
  auto table = array<float>(knots, [](unsigned k) { return std::sin(k * (6.0 / 4096)); });
  auto y = room<float>(n);
  return Problem{[=] {
                   splines_table<<<blocks_of(n), kBlock>>>(x->data(), table->data(), y->data(), 0,
                                                           4096, knots, n);
                 },
                 [=] { return agrees(y, [&](unsigned i) { return std::sin(6.0 * x->host[i]); }); }};
}

inline Problem splines_search_problem(unsigned n) {
  const unsigned count = 701;
  std::vector<double> at(count), value(count);
  for (unsigned k = 0; k < count; ++k) {  // from 0.02 to 0.98, denser in the beginning
    const double part = k / (count - 1.0);
    at[k] = 0.02 + 0.96 * (0.3 * part + 0.7 * part * part);
    value[k] = mixed(k + 3) % 1000 / 1000.0;
  }
  auto pieces = array(splines_natural<double>(at, value));
  auto knots = array(std::move(at));
  auto x = uniform<double>(n, 52);
  auto y = room<double>(n);
  return Problem{[=] {
                   splines_search<<<blocks_of(n, 128), 128>>>(
                       x->data(), knots->data(), pieces->data(), y->data(), int(count), n);
                 },
                 [=] {
                   const std::vector<double>& k = knots->host;
                   const auto wanted = [&](unsigned i) {
                     const double place = std::clamp(x->host[i], k.front(), k.back());
                     const auto above = std::upper_bound(k.begin() + 1, k.end() - 1, place);
                     const auto piece = static_cast<std::size_t>(above - k.begin()) - 1;
                     const SplinesPiece<double>& p = pieces->host[piece];
                     const double t = place - k[piece];
                     return p.a + p.b * t + p.c * t * t + p.d * t * t * t;
                   };
                   return agrees(y, wanted, 1e-9);
                 }};
}

inline Problem splines_shared_problem(unsigned n) {
  const float low = 0, step = 1.0f / 256;  // the last pieces lie beyond all places
  std::vector<double> at(kSplinesPieces + 1), value(kSplinesPieces + 1);
  for (unsigned k = 0; k <= kSplinesPieces; ++k) {
    at[k] = low + double(step) * k;
    value[k] = std::cos(k * 0.1) + mixed(k + 8) % 100 / 1000.0;
  }
  auto pieces = array(splines_natural<float>(at, value));
  auto x = uniform(n, 53);
  auto y = room<float>(n), slope = room<float>(n);
  return Problem{[=] {
                   splines_shared<<<std::min(blocks_of(n, 512), 396u), 512>>>(
                       x->data(), reinterpret_cast<const float4*>(pieces->data()), y->data(),
                       slope->data(), low, step, n);
                 },
                 [=] {
                   const auto piece = [&](unsigned i, double& t) -> const SplinesPiece<float>& {
                     const auto k = static_cast<unsigned>((x->host[i] - low) / step);
                     t = x->host[i] - low - double(step) * k;
                     return pieces->host[k];
                   };
                   return agrees(y,
                                 [&](unsigned i) {
                                   double t;
                                   const SplinesPiece<float>& p = piece(i, t);
                                   return p.a + p.b * t + p.c * t * t + p.d * t * t * t;
                                 }) &&
                          agrees(slope, [&](unsigned i) {
                            double t;
                            const SplinesPiece<float>& p = piece(i, t);
                            return p.b + 2 * p.c * t + 3 * p.d * t * t;
                          });
                 }};
}

inline Problem splines_map_problem(unsigned n) {
  auto map = array<short>(kSplinesWidth * kSplinesHeight, [](unsigned i) {
    return i % kSplinesWidth / 4 + i / kSplinesWidth / 3 + mixed(i + 6) % 40;
  });
  std::vector<float2> places(n);
  for (unsigned i = 0; i < n; ++i)
    places[i] = {(mixed(2 * i) >> 8) / 16777216.0f * (kSplinesWidth - 1),
                 (mixed(2 * i + 1) >> 8) / 16777216.0f * (kSplinesHeight - 1)};
  auto place = array(std::move(places));
  auto height = room<float>(n);
  return Problem{
      [=] { splines_map<<<blocks_of(n, 64), 64>>>(place->data(), map->data(), height->data(), n); },
      [=] {
        return agrees(height, [&](unsigned i) {
          const float2 at = place->host[i];
          return splines_height<double>(map->host.data(), at.x, at.y);
        });
      }};
}

inline void add_splines(Set& set) {
  set.add("splines_table", {7000, 2000000, 16000000}, splines_table_problem);
  set.add("splines_search", {7000, 1300000, 4200001}, splines_search_problem);
  set.add("splines_shared", {7000, 2000000, 14000000}, splines_shared_problem);
  set.add("splines_map", {7000, 1300000, 4000007}, splines_map_problem);
}

}  // namespace timing_set
