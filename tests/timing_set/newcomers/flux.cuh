// SPDX-License-Identifier: MIT
// Shallow water on an unstructured mesh of cells with four faces (finite volumes, Rusanov flux): a
// thread per face that adds to both cells with atomics, the same in double with cells and faces in
// no order, a thread per cell that computes every face twice, and that again where the block's own
// cells are read from shared memory.
#pragma once

#include "../set.cuh"

namespace timing_set {

constexpr float kFluxStep = 0.01f;

struct FluxFace {
  int inside, other;  // other: -1 behind a wall
  float nx, ny;       // points to the other cell; as long as the face
};

template <class T>
struct FluxState {
  T h, hu, hv;
};

template <class T>
__host__ __device__ inline FluxState<T> flux_across(FluxState<T> l, FluxState<T> r, T nx, T ny) {
  const T gravity = T(9.81);
  const T length = sqrt(nx * nx + ny * ny);
  const T ul = (l.hu * nx + l.hv * ny) / l.h, ur = (r.hu * nx + r.hv * ny) / r.h;
  const T pl = gravity / 2 * l.h * l.h, pr = gravity / 2 * r.h * r.h;
  const T speed =
      fmax(fabs(ul) + sqrt(gravity * l.h) * length, fabs(ur) + sqrt(gravity * r.h) * length);
  return {(l.h * ul + r.h * ur - speed * (r.h - l.h)) / 2,
          (l.hu * ul + r.hu * ur + (pl + pr) * nx - speed * (r.hu - l.hu)) / 2,
          (l.hv * ul + r.hv * ur + (pl + pr) * ny - speed * (r.hv - l.hv)) / 2};
}
template <class T>
__host__ __device__ inline FluxState<T> flux_wall(T h, T nx, T ny) {
  const T pressure = T(9.81) / 2 * h * h;
  return {T(0), pressure * nx, pressure * ny};
}

template <class T>
__device__ void flux_add(T* sums, FluxState<T> f, T sign) {
  atomicAdd(sums, sign * f.h);
  atomicAdd(sums + 1, sign * f.hu);
  atomicAdd(sums + 2, sign * f.hv);
}

__global__ void flux_faces(const float4* __restrict__ state, const FluxFace* __restrict__ faces,
                           float* residual, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  const FluxFace face = faces[i];
  const float4 l = state[face.inside];
  FluxState<float> f;
  if (face.other < 0) {
    f = flux_wall(l.x, face.nx, face.ny);
  } else {
    const float4 r = state[face.other];
    f = flux_across<float>({l.x, l.y, l.z}, {r.x, r.y, r.z}, face.nx, face.ny);
    flux_add(&residual[3 * face.other], f, -1.0f);
  }
  flux_add(&residual[3 * face.inside], f, 1.0f);
}

__global__ void flux_shuffled(const FluxState<double>* state, const FluxFace* faces,
                              double* residual, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int a = faces[i].inside, b = faces[i].other;
  const double x = faces[i].nx, y = faces[i].ny;
  const FluxState<double> f =
      b < 0 ? flux_wall(state[a].h, x, y) : flux_across(state[a], state[b], x, y);
  flux_add(residual + 3 * a, f, 1.0);
  if (b >= 0) flux_add(residual + 3 * b, f, -1.0);
}

// The four neighbours of cell i are at i, n + i, ... so that a warp reads them side by side.
__global__ void __launch_bounds__(128)
    flux_cells(const float4* __restrict__ state, const int* __restrict__ neighbour,
               const float2* __restrict__ normal, float* out, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  const float4 own = state[i];
  FluxState<float> sum = {0, 0, 0};
  for (unsigned k = 0; k < 4; ++k) {
    const int other = neighbour[k * n + i];
    const float2 m = normal[k * n + i];
    FluxState<float> f = flux_wall(own.x, m.x, m.y);
    if (other >= 0) {
      const float4 r = state[other];
      f = flux_across<float>({own.x, own.y, own.z}, {r.x, r.y, r.z}, m.x, m.y);
    }
    sum = {sum.h + f.h, sum.hu + f.hu, sum.hv + f.hv};
  }
  out[i] = own.x - kFluxStep * sum.h;
  out[n + i] = own.y - kFluxStep * sum.hu;
  out[2 * n + i] = own.z - kFluxStep * sum.hv;
}

// Neighbours with numbers near one's own are in the same block: those are read from shared memory.
__global__ void __launch_bounds__(1024) flux_cached(const float4* state, const int* neighbour,
                                                    const float2* normal, float* out, unsigned n) {
  __shared__ float4 cells[1024];
  const unsigned i = thread_number();
  if (i < n) cells[threadIdx.x] = state[i];
  __syncthreads();
  if (i >= n) return;
  const float4 own = cells[threadIdx.x];
  FluxState<float> sum = {0, 0, 0};
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) {
    const int other = neighbour[k * n + i];
    const float2 m = normal[k * n + i];
    const unsigned close = static_cast<unsigned>(other) - blockIdx.x * blockDim.x;
    FluxState<float> f = flux_wall(own.x, m.x, m.y);
    if (other >= 0) {
      const float4 r = close < blockDim.x ? cells[close] : state[other];
      f = flux_across<float>({own.x, own.y, own.z}, {r.x, r.y, r.z}, m.x, m.y);
    }
    sum = {sum.h + f.h, sum.hu + f.hu, sum.hv + f.hv};
  }
  out[i] = own.x - kFluxStep * sum.h;
  out[n + i] = own.y - kFluxStep * sum.hu;
  out[2 * n + i] = own.z - kFluxStep * sum.hv;
}

// The mesh is a skewed square of side * side cells. Kernels number its cells in different ways, so
// what a cell or face is like depends on its place only: its number by rows.
inline float flux_part(unsigned i, unsigned k) { return (mixed(4 * i + k) >> 16) / 65536.0f; }
template <class T = float>
FluxState<T> flux_state(unsigned place) {
  return {1 + flux_part(place, 0), flux_part(place, 1) - 0.5f, flux_part(place, 2) - 0.5f};
}
inline unsigned flux_faces_of(unsigned side) { return 2 * side * (side + 1); }
inline FluxFace flux_face(unsigned side, unsigned i) {
  const unsigned half = side * (side + 1);
  const bool flat = i >= half;
  const unsigned x = flat ? (i - half) % side : i % (side + 1);
  const unsigned y = flat ? (i - half) / side : i / (side + 1);
  const bool low = flat ? y > 0 : x > 0, high = flat ? y < side : x < side;
  const int place = static_cast<int>(y * side + x), step = static_cast<int>(flat ? side : 1);
  const float along = 1 + flux_part(i, 3) / 4, across = flux_part(i + 77, 3) / 5 - 0.1f;
  const float nx = flat ? across : along, ny = flat ? along : across;
  if (!low) return {place, -1, -nx, -ny};
  return {place - step, high ? place : -1, nx, ny};
}
inline unsigned flux_face_of_cell(unsigned side, unsigned place, unsigned k) {
  const unsigned x = place % side, y = place / side;
  return k < 2 ? y * (side + 1) + x + k : side * (side + 1) + (y + k - 2) * side + x;
}
inline double flux_wanted(unsigned side, unsigned place, unsigned part) {
  double sum = 0;
  for (unsigned k = 0; k < 4; ++k) {
    const FluxFace face = flux_face(side, flux_face_of_cell(side, place, k));
    const double nx = face.nx, ny = face.ny;
    const auto l = flux_state<double>(face.inside);
    const auto f = face.other < 0 ? flux_wall(l.h, nx, ny)
                                  : flux_across(l, flux_state<double>(face.other), nx, ny);
    const double one = part == 0 ? f.h : part == 1 ? f.hu : f.hv;
    sum += face.inside == static_cast<int>(place) ? one : -one;
  }
  return sum;
}
inline float4 flux_state4(unsigned place) {
  const FluxState<float> s = flux_state(place);
  return make_float4(s.h, s.hu, s.hv, 0);
}

inline Problem flux_faces_problem(unsigned side) {
  const unsigned cells = side * side, n = flux_faces_of(side);
  auto state = array<float4>(cells, flux_state4);
  auto faces = array<FluxFace>(n, [=](unsigned i) { return flux_face(side, i); });
  auto residual = array(std::vector<float>(3 * cells));
  return Problem{
      [=] {
        flux_faces<<<blocks_of(n), kBlock>>>(state->data(), faces->data(), residual->data(), n);
      },
      [=] { return agrees(residual, [=](unsigned i) { return flux_wanted(side, i / 3, i % 3); }); },
      [=] { clear(residual); }};
}

// A stride that has no factor in common with any number of cells or faces here.
inline unsigned flux_mix(unsigned i, unsigned n) {
  return static_cast<unsigned>(std::uint64_t{i} * 1000003u % n);
}

inline Problem flux_shuffled_problem(unsigned side) {
  const unsigned cells = side * side, n = flux_faces_of(side);
  std::vector<int> number(cells);
  for (unsigned i = 0; i < cells; ++i) number[flux_mix(i, cells)] = static_cast<int>(i);
  auto state = array<FluxState<double>>(
      cells, [=](unsigned i) { return flux_state<double>(flux_mix(i, cells)); });
  auto faces = array<FluxFace>(n, [&](unsigned i) {
    const FluxFace f = flux_face(side, flux_mix(i, n));
    return FluxFace{number[f.inside], f.other < 0 ? -1 : number[f.other], f.nx, f.ny};
  });
  auto out = array(std::vector<double>(3 * cells));
  const auto wanted = [=](unsigned i) { return flux_wanted(side, flux_mix(i / 3, cells), i % 3); };
  return Problem{[=] {
                   flux_shuffled<<<blocks_of(n, 512), 512>>>(state->data(), faces->data(),
                                                             out->data(), n);
                 },
                 [=] { return agrees(out, wanted, 1e-9); }, [=] { clear(out); }};
}

inline Problem flux_cells_problem(unsigned side, bool cached) {
  const unsigned n = side * side;
  auto state = array<float4>(n, flux_state4);
  const auto face = [=](unsigned i) {
    return flux_face(side, flux_face_of_cell(side, i % n, i / n));
  };
  auto neighbour = array<int>(4 * n, [=](unsigned i) {
    const FluxFace f = face(i);
    return f.inside == static_cast<int>(i % n) ? f.other : f.inside;
  });
  auto normal = array<float2>(4 * n, [=](unsigned i) {
    const FluxFace f = face(i);
    const float sign = f.inside == static_cast<int>(i % n) ? 1 : -1;
    return make_float2(sign * f.nx, sign * f.ny);
  });
  auto out = room<float>(3 * n);
  const auto kernel = cached ? flux_cached : flux_cells;
  const unsigned block = cached ? 1024 : 128;
  const auto wanted = [=](unsigned i) {
    const float4 s = state->host[i % n];
    const float old = i / n == 0 ? s.x : i / n == 1 ? s.y : s.z;
    return old - kFluxStep * flux_wanted(side, i % n, i / n);
  };
  return Problem{[=] {
                   kernel<<<blocks_of(n, block), block>>>(state->data(), neighbour->data(),
                                                          normal->data(), out->data(), n);
                 },
                 [=] { return agrees(out, wanted, 1e-5); }};
}

inline void add_flux(Set& set) {
  const std::vector<unsigned> sizes = {50, 410, 1000};  // cells along a side
  set.add("flux_faces", sizes, flux_faces_problem);
  set.add("flux_shuffled", sizes, flux_shuffled_problem);
  set.add("flux_cells", sizes, [](unsigned side) { return flux_cells_problem(side, false); });
  set.add("flux_cached", sizes, [](unsigned side) { return flux_cells_problem(side, true); });
}

}  // namespace timing_set
