// SPDX-License-Identifier: MIT
// Many tridiagonal systems by cyclic reduction, a block for each: all of it in global memory, in shared memory, every
// row at every step (parallel cyclic reduction), and small systems in doubles that a warp solves with shuffles.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr int kCyclicRows = 256, kCyclicWarpRows = 32;

// Changes its input: below, diagonal, above and right are reduced where they are.
__global__ void cyclic_global(float* a, float* b, float* c, float* d, float* x) {
  const int first = blockIdx.x * kCyclicRows, last = first + kCyclicRows - 1;
  for (int stride = 1; stride < kCyclicRows; stride *= 2) {
    for (int t = threadIdx.x; t < kCyclicRows / (2 * stride); t += blockDim.x) {
      const int i = first + 2 * stride * (t + 1) - 1, left = i - stride, right = i + stride;
      const float up = a[i] / b[left];
      b[i] -= c[left] * up;
      d[i] -= d[left] * up;
      a[i] = -a[left] * up;
      if (right <= last) {
        const float down = c[i] / b[right];
        b[i] -= a[right] * down;
        d[i] -= d[right] * down;
        c[i] = -c[right] * down;
      }
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) x[last] = d[last] / b[last];
  __syncthreads();
  for (int stride = kCyclicRows / 2; stride > 0; stride /= 2) {
    for (int t = threadIdx.x; t < kCyclicRows / (2 * stride); t += blockDim.x) {
      const int i = first + 2 * stride * t + stride - 1;
      float rest = d[i] - c[i] * x[i + stride];
      if (t > 0) rest -= a[i] * x[i - stride];
      x[i] = rest / b[i];
    }
    __syncthreads();
  }
}

template <int Rows>
__global__ void cyclic_shared(const float* __restrict__ below, const float* __restrict__ diagonal,
                              const float* __restrict__ above, const float* __restrict__ right,
                              float* __restrict__ out) {
  __shared__ float a[Rows], b[Rows], c[Rows], d[Rows], x[Rows];
  const int t = threadIdx.x, first = blockIdx.x * Rows;
#pragma unroll
  for (int i = t; i < Rows; i += Rows / 2) {
    a[i] = below[first + i];
    b[i] = diagonal[first + i];
    c[i] = above[first + i];
    d[i] = right[first + i];
  }
  int stride = 1;
  for (int active = Rows / 2; active > 0; active /= 2, stride *= 2) {
    __syncthreads();
    if (t < active) {
      const int i = 2 * stride * (t + 1) - 1, l = i - stride, r = min(i + stride, Rows - 1);
      const float up = __fdividef(a[i], b[l]);
      const float down = i + stride < Rows ? __fdividef(c[i], b[r]) : 0;
      b[i] -= c[l] * up + a[r] * down;
      d[i] -= d[l] * up + d[r] * down;
      a[i] = -a[l] * up;
      c[i] = -c[r] * down;
    }
  }
  if (t == 0) x[Rows - 1] = d[Rows - 1] / b[Rows - 1];
  for (int active = 1; active < Rows; active *= 2) {
    stride /= 2;
    __syncthreads();
    if (t < active) {
      const int i = 2 * stride * t + stride - 1;
      const float before = t > 0 ? x[i - stride] : 0;
      x[i] = __fdividef(d[i] - a[i] * before - c[i] * x[i + stride], b[i]);
    }
  }
  __syncthreads();
  for (int i = t; i < Rows; i += Rows / 2) out[first + i] = x[i];
}

__global__ void __launch_bounds__(kCyclicRows)
    cyclic_parallel(const float* below, const float* diagonal, const float* above,
                    const float* right, float* out) {
  __shared__ float4 rows[2][kCyclicRows];
  const int t = threadIdx.x, row = blockIdx.x * kCyclicRows + t;
  float4 mine = make_float4(below[row], diagonal[row], above[row], right[row]);
  int side = 0;
  for (int stride = 1; stride < kCyclicRows; stride *= 2, side ^= 1) {
    rows[side][t] = mine;
    __syncthreads();
    float4 next = make_float4(0, mine.y, 0, mine.w);
    if (t >= stride) {
      const float4 l = rows[side][t - stride];
      const float up = mine.x / l.y;
      next.x = -l.x * up;
      next.y -= l.z * up;
      next.w -= l.w * up;
    }
    if (t + stride < kCyclicRows) {
      const float4 r = rows[side][t + stride];
      const float down = mine.z / r.y;
      next.z = -r.z * down;
      next.y -= r.x * down;
      next.w -= r.w * down;
    }
    mine = next;
  }
  out[row] = mine.w / mine.y;
}

__global__ void cyclic_warp(const double* below, const double* diagonal, const double* above,
                            const double* right, double* out, unsigned rows) {
  const unsigned row = thread_number(), lane = threadIdx.x % kCyclicWarpRows;
  if (row >= rows) return;  // all of a warp or none
  double b = 1 / diagonal[row];
  double a = below[row] * b, c = above[row] * b, d = right[row] * b;  // the diagonal is one
  for (unsigned stride = 1; stride < kCyclicWarpRows; stride *= 2) {
    double la = __shfl_up_sync(kAll, a, stride), lc = __shfl_up_sync(kAll, c, stride);
    double ld = __shfl_up_sync(kAll, d, stride), ra = __shfl_down_sync(kAll, a, stride);
    double rc = __shfl_down_sync(kAll, c, stride), rd = __shfl_down_sync(kAll, d, stride);
    if (lane < stride) la = lc = ld = 0;
    if (lane + stride >= kCyclicWarpRows) ra = rc = rd = 0;
    b = 1 / (1 - a * lc - c * ra);
    d = (d - a * ld - c * rd) * b;
    a = -a * la * b;
    c = -c * rc * b;
  }
  out[row] = d;
}

template <class T>
struct CyclicSystems {
  CyclicSystems(unsigned systems, int rows)
      : rows(rows), n(systems * rows), a(off(1, 0)), b(uniform<T>(n, 2)), c(off(3, rows - 1)) {
    for (T& value : b->host) value += T(2.5);
    b->restore();
    d = uniform<T>(n, 4);
    x = room<T>(n);
  }
  Shared<T> off(unsigned seed, int none) const {
    return array<T>(n, [=, this](unsigned i) {
      return static_cast<int>(i) % rows == none ? 0 : (mixed(i ^ (seed << 24)) >> 16) / -65536.0;
    });
  }
  // Forwards and backwards, as one does it by hand.
  double solution(unsigned i) const {
    const unsigned first = i / rows * rows;
    std::vector<double> above(rows), right(rows);
    for (int r = 0; r < rows; ++r) {
      const double low = a->host[first + r], before = r ? above[r - 1] : 0;
      const double pivot = b->host[first + r] - low * before;
      above[r] = c->host[first + r] / pivot;
      right[r] = (d->host[first + r] - low * (r ? right[r - 1] : 0)) / pivot;
    }
    double value = right[rows - 1];
    for (int r = rows - 2; r >= static_cast<int>(i - first); --r)
      value = right[r] - above[r] * value;
    return value;
  }
  int rows;
  unsigned n;
  Shared<T> a, b, c, d, x;
};

template <class Function>
std::function<Problem(unsigned)> cyclic_problem(Function kernel, unsigned block, bool in_place) {
  return [=](unsigned systems) {
    const CyclicSystems<float> s(systems, kCyclicRows);
    Problem problem{[=] {
                      kernel<<<systems, block>>>(s.a->data(), s.b->data(), s.c->data(), s.d->data(),
                                                 s.x->data());
                    },
                    [=] {
                      return agrees(
                          s.x, [=](unsigned i) { return s.solution(i); }, 1e-5);
                    }};
    if (in_place)
      problem.reset = [=] {
        for (const Shared<float>& changed : {s.a, s.b, s.c, s.d}) changed->restore();
      };
    return problem;
  };
}

inline Problem cyclic_warp_problem(unsigned systems) {
  const CyclicSystems<double> s(systems, kCyclicWarpRows);
  return {[=] {
            cyclic_warp<<<blocks_of(s.n, 128), 128>>>(s.a->data(), s.b->data(), s.c->data(),
                                                      s.d->data(), s.x->data(), s.n);
          },
          [=] {
            return agrees(
                s.x, [=](unsigned i) { return s.solution(i); }, 1e-10);
          }};
}

inline void add_cyclic(Set& set) {
  const std::vector<unsigned> sizes = {12, 700, 12000};
  set.add("cyclic_global", sizes, cyclic_problem(cyclic_global, 64, true));
  set.add("cyclic_shared", sizes,
          cyclic_problem(cyclic_shared<kCyclicRows>, kCyclicRows / 2, false));
  set.add("cyclic_parallel", {12, 700, 5500}, cyclic_problem(cyclic_parallel, kCyclicRows, false));
  set.add("cyclic_warp", {50, 5001, 60001}, cyclic_warp_problem);
}

}  // namespace timing_set
