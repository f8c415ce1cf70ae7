// SPDX-License-Identifier: MIT
// Finite elements: the 4 x 4 stiffness matrices of linear tetrahedra. A thread per element that
// writes its matrix row by row, the symmetric part in planes in double, sixteen threads per element
// that share its gradients, and the assembly into a sparse matrix by search and atomics, elements
// in no order.
#pragma once

#include "../set.cuh"

namespace timing_set {

template <class T>
struct ElementsShape {
  T gradient[4][3], volume;
};

template <class T>
__host__ __device__ inline ElementsShape<T> elements_shape(const T (&p)[4][3]) {
  T a[3], b[3], c[3];
  for (int k = 0; k < 3; ++k) {
    a[k] = p[1][k] - p[0][k];
    b[k] = p[2][k] - p[0][k];
    c[k] = p[3][k] - p[0][k];
  }
  ElementsShape<T> s;
  T det = 0;
  for (int k = 0; k < 3; ++k) {
    const int l = (k + 1) % 3, m = (k + 2) % 3;
    s.gradient[1][k] = b[l] * c[m] - b[m] * c[l];
    s.gradient[2][k] = c[l] * a[m] - c[m] * a[l];
    s.gradient[3][k] = a[l] * b[m] - a[m] * b[l];
    det += a[k] * s.gradient[1][k];
  }
  for (int k = 0; k < 3; ++k) {
    for (int i = 1; i < 4; ++i) s.gradient[i][k] /= det;
    s.gradient[0][k] = -(s.gradient[1][k] + s.gradient[2][k] + s.gradient[3][k]);
  }
  s.volume = (det < 0 ? -det : det) / 6;
  return s;
}
template <class T>
__host__ __device__ inline T elements_entry(const ElementsShape<T>& s, int i, int j) {
  return s.volume * (s.gradient[i][0] * s.gradient[j][0] + s.gradient[i][1] * s.gradient[j][1] +
                     s.gradient[i][2] * s.gradient[j][2]);
}

template <class T>
__host__ __device__ inline void elements_put(T (&p)[3], float3 node) {
  p[0] = node.x;
  p[1] = node.y;
  p[2] = node.z;
}

__global__ void elements_plain(const float3* nodes, const int4* elements, float* matrices,
                               unsigned n) {
  const unsigned e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= n) return;
  const int v[4] = {elements[e].x, elements[e].y, elements[e].z, elements[e].w};
  float p[4][3];
  for (int i = 0; i < 4; ++i) elements_put(p[i], nodes[v[i]]);
  const ElementsShape<float> s = elements_shape(p);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) matrices[16 * e + 4 * i + j] = elements_entry(s, i, j);
}

__global__ void __launch_bounds__(512)
    elements_planes(const double* __restrict__ x, const double* __restrict__ y,
                    const double* __restrict__ z, const int4* __restrict__ elements,
                    double* __restrict__ planes, unsigned n) {
  const unsigned e = thread_number();
  if (e >= n) return;
  const int4 v = elements[e];
  const double p[4][3] = {{x[v.x], y[v.x], z[v.x]},
                          {x[v.y], y[v.y], z[v.y]},
                          {x[v.z], y[v.z], z[v.z]},
                          {x[v.w], y[v.w], z[v.w]}};
  const ElementsShape<double> s = elements_shape(p);
  int plane = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i)
#pragma unroll
    for (int j = 0; j <= i; ++j) planes[std::size_t{n} * plane++ + e] = elements_entry(s, i, j);
}

constexpr unsigned kElementsGroup = 8;  // elements of a block of 128
__global__ void elements_sixteen(const float* nodes, const int* elements, float* matrices,
                                 unsigned n) {
  __shared__ float place[kElementsGroup][12];
  __shared__ float gradient[kElementsGroup][4][3];
  const unsigned own = threadIdx.x / 16, lane = threadIdx.x % 16;
  const unsigned e = blockIdx.x * kElementsGroup + own;
  if (e < n && lane < 12) place[own][lane] = nodes[3 * elements[4 * e + lane / 3] + lane % 3];
  __syncthreads();
  const float* p = place[own];
  if (e < n && lane < 9) {
    const unsigned i = lane / 3, k = lane % 3, l = (k + 1) % 3, m = (k + 2) % 3;
    const float* b = p + 3 * ((i + 1) % 3 + 1);
    const float* c = p + 3 * ((i + 2) % 3 + 1);
    gradient[own][i + 1][k] =
        (b[l] - p[l]) * (c[m] - p[m]) - (b[m] - p[m]) * (c[l] - p[l]);  // times det
  }
  __syncthreads();
  float(*g)[3] = gradient[own];
  if (e < n && lane < 3) g[0][lane] = -(g[1][lane] + g[2][lane] + g[3][lane]);
  __syncthreads();
  if (e >= n) return;
  const float det = (p[3] - p[0]) * g[1][0] + (p[4] - p[1]) * g[1][1] + (p[5] - p[2]) * g[1][2];
  const unsigned i = lane / 4, j = lane % 4;
  const float dot = g[i][0] * g[j][0] + g[i][1] * g[j][1] + g[i][2] * g[j][2];
  matrices[16 * e + lane] = dot / (6 * fabsf(det));
}

constexpr int kElementsWidth = 15;  // entries of a row of the sparse matrix

__global__ void elements_assembled(const float3* nodes, const int4* elements, const int* columns,
                                   float* values, unsigned n) {
  const unsigned e = thread_number();
  if (e >= n) return;
  const int4 all = elements[e];
  const int v[4] = {all.x, all.y, all.z, all.w};
  float p[4][3];
  for (int i = 0; i < 4; ++i) elements_put(p[i], nodes[v[i]]);
  const ElementsShape<float> s = elements_shape(p);
#pragma unroll
  for (int i = 0; i < 4; ++i) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      int at = kElementsWidth * v[i];
      while (columns[at] != v[j]) ++at;
      atomicAdd(&values[at], elements_entry(s, i, j));
    }
  }
}

// Cubes of a slightly bent grid with m nodes a side, each cut into six tetrahedra that go from
// its lowest to its highest corner along three edges in some order.
inline float3 elements_node(unsigned m, unsigned i) {
  const auto bent = [=](unsigned k) { return (mixed(3 * i + k) >> 16) / 65536.0f * 0.2f; };
  return make_float3(i % m + bent(0), i / m % m + bent(1), i / m / m + bent(2));
}
inline unsigned elements_count(unsigned m) { return 6 * (m - 1) * (m - 1) * (m - 1); }
inline int4 elements_corners(unsigned m, unsigned e) {
  constexpr unsigned kOrder[6][2] = {{0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 1}};
  const unsigned step[3] = {1, m, m * m}, cube = e / 6, edge = m - 1;
  const unsigned base = cube % edge + cube / edge % edge * m + cube / edge / edge * m * m;
  const unsigned second = base + step[kOrder[e % 6][0]], third = second + step[kOrder[e % 6][1]];
  return make_int4(base, second, third, base + 1 + m + m * m);
}
inline ElementsShape<double> elements_wanted(unsigned m, int4 v) {
  double p[4][3];
  const int corners[4] = {v.x, v.y, v.z, v.w};
  for (int i = 0; i < 4; ++i) elements_put(p[i], elements_node(m, corners[i]));
  return elements_shape(p);
}
inline Shared<float3> elements_nodes(unsigned m) {
  return array<float3>(m * m * m, [=](unsigned i) { return elements_node(m, i); });
}

inline Problem elements_square_problem(unsigned m, bool sixteen) {
  const unsigned n = elements_count(m);
  auto nodes = elements_nodes(m);
  auto elements = array<int4>(n, [=](unsigned e) { return elements_corners(m, e); });
  auto out = room<float>(16 * n);
  return Problem{[=] {
                   if (sixteen)
                     elements_sixteen<<<blocks_of(n, kElementsGroup), 16 * kElementsGroup>>>(
                         &nodes->data()->x, &elements->data()->x, out->data(), n);
                   else
                     elements_plain<<<blocks_of(n), kBlock>>>(nodes->data(), elements->data(),
                                                              out->data(), n);
                 },
                 [=] {
                   return agrees(out, [=](unsigned i) {
                     const auto shape = elements_wanted(m, elements_corners(m, i / 16));
                     return elements_entry(shape, i / 4 % 4, i % 4);
                   });
                 }};
}

inline Problem elements_planes_problem(unsigned m) {
  const unsigned n = elements_count(m), count = m * m * m;
  auto x = array<double>(count, [=](unsigned i) { return elements_node(m, i).x; });
  auto y = array<double>(count, [=](unsigned i) { return elements_node(m, i).y; });
  auto z = array<double>(count, [=](unsigned i) { return elements_node(m, i).z; });
  auto elements = array<int4>(n, [=](unsigned e) { return elements_corners(m, e); });
  auto out = room<double>(10 * std::size_t{n});
  return Problem{
      [=] {
        elements_planes<<<blocks_of(n, 512), 512>>>(x->data(), y->data(), z->data(),
                                                    elements->data(), out->data(), n);
      },
      [=] {
        const auto wanted = [=](unsigned i) {
          const int plane = i / n, row = plane < 1 ? 0 : plane < 3 ? 1 : plane < 6 ? 2 : 3;
          return elements_entry(elements_wanted(m, elements_corners(m, i % n)), row,
                                plane - row * (row + 1) / 2);
        };
        return agrees(out, wanted, 1e-10);
      }};
}

// Entry k of a row: neighbours differ by a step along some of x, y, z, the bits of |k - 7|.
inline int elements_column(unsigned m, unsigned entry) {
  const int d = static_cast<int>(entry % kElementsWidth) - 7, bits = std::abs(d), w = m;
  const int step = (bits & 1) + (bits >> 1 & 1) * w + (bits >> 2) * w * w;
  return static_cast<int>(entry / kElementsWidth) + (d < 0 ? -step : step);
}
// Elements around the node of a row: those of the cubes that have it as a corner.
inline double elements_sum(unsigned m, unsigned entry) {
  const unsigned row = entry / kElementsWidth, edge = m - 1;
  double sum = 0;
  for (unsigned k = 0; k < 48; ++k) {
    const unsigned x = row % m - (k & 1), y = row / m % m - (k >> 1 & 1);
    const unsigned z = row / m / m - (k >> 2 & 1);
    if (x >= edge || y >= edge || z >= edge) continue;
    const int4 v = elements_corners(m, 6 * ((z * edge + y) * edge + x) + k / 8);
    const int corners[4] = {v.x, v.y, v.z, v.w};
    for (int i = 0; i < 16; ++i)
      if (corners[i / 4] == static_cast<int>(row) && corners[i % 4] == elements_column(m, entry))
        sum += elements_entry(elements_wanted(m, v), i / 4, i % 4);
  }
  return sum;
}

inline Problem elements_assembled_problem(unsigned m) {
  const unsigned n = elements_count(m), entries = kElementsWidth * m * m * m;
  auto nodes = elements_nodes(m);
  auto elements = array<int4>(n, [=](unsigned e) {
    return elements_corners(m, static_cast<unsigned>(std::uint64_t{e} * 1000003u % n));
  });
  auto columns = array<int>(entries, [=](unsigned i) { return elements_column(m, i); });
  auto values = array(std::vector<float>(entries));
  return Problem{[=] {
                   elements_assembled<<<blocks_of(n, 320), 320>>>(
                       nodes->data(), elements->data(), columns->data(), values->data(), n);
                 },
                 [=] { return agrees(values, [=](unsigned i) { return elements_sum(m, i); }); },
                 [=] { clear(values); }};
}

inline void add_elements(Set& set) {
  const std::vector<unsigned> sizes = {8, 24, 50};  // nodes along a side
  set.add("elements_plain", sizes, [](unsigned m) { return elements_square_problem(m, false); });
  set.add("elements_planes", sizes, elements_planes_problem);
  set.add("elements_sixteen", sizes, [](unsigned m) { return elements_square_problem(m, true); });
  set.add("elements_assembled", sizes, elements_assembled_problem);
}

}  // namespace timing_set
