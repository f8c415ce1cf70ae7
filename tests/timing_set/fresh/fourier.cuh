// SPDX-License-Identifier: MIT
// Fourier transforms: one stage of two and of four over global memory, and whole ones of 256 points in shared memory.
#pragma once
#include "../set.cuh"

namespace timing_set {

__device__ inline float2 times(float2 a, float2 b) {
  return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
__device__ inline float2 plus(float2 a, float2 b) { return {a.x + b.x, a.y + b.y}; }
__device__ inline float2 minus(float2 a, float2 b) { return {a.x - b.x, a.y - b.y}; }

__global__ void stage_of_two(const float2* in, float2* out, unsigned n) {
  const unsigned i = thread_number();
  const float2 a = in[i], b = in[i + n / 2];
  float2 turn;
  __sincosf(-6.2831853f * i / n, &turn.y, &turn.x);
  out[i] = plus(a, b);
  out[i + n / 2] = times(minus(a, b), turn);
}
__global__ void stage_of_four(const float2* in, float2* out, unsigned n) {
  const unsigned i = thread_number(), q = n / 4;
  const float2 a = in[i], b = in[i + q], c = in[i + 2 * q], d = in[i + 3 * q];
  const float2 s = plus(a, c), t = minus(a, c), u = plus(b, d), v = minus(b, d);
  const float2 w = {v.y, -v.x};  // -i times v
  float2 turn;
  sincospif(-2.0f * i / n, &turn.y, &turn.x);
  const float2 twice = times(turn, turn);
  float4* const to = reinterpret_cast<float4*>(out + 4 * i);
  const float2 y0 = plus(s, u), y1 = times(plus(t, w), turn), y2 = times(minus(s, u), twice);
  const float2 y3 = times(minus(t, w), times(twice, turn));
  to[0] = {y0.x, y0.y, y1.x, y1.y};
  to[1] = {y2.x, y2.y, y3.x, y3.y};
}
constexpr unsigned kPoints = 256;
// 128 threads; the turns come from a table.
__global__ void whole_256(const float2* in, const float2* turns, float2* out) {
  __shared__ float2 part[2][kPoints];
  const unsigned t = threadIdx.x, base = blockIdx.x * kPoints;
  part[0][t] = in[base + t];
  part[0][t + kPoints / 2] = in[base + t + kPoints / 2];
  unsigned now = 0;
  for (unsigned done = 1; done < kPoints; done *= 2) {
    __syncthreads();
    const unsigned k = t & (done - 1);
    const float2 a = part[now][t];
    const float2 b = times(part[now][t + kPoints / 2], turns[k * (kPoints / 2 / done)]);
    const unsigned to = 2 * (t - k) + k;
    part[1 - now][to] = plus(a, b);
    part[1 - now][to + done] = minus(a, b);
    now = 1 - now;
  }
  __syncthreads();
  out[base + t] = part[now][t];
  out[base + t + kPoints / 2] = part[now][t + kPoints / 2];
}

struct Complex {
  double x, y;
};
inline Complex turned(double x, double y, double angle) {
  return {x * std::cos(angle) - y * std::sin(angle), x * std::sin(angle) + y * std::cos(angle)};
}
inline Shared<float2> points_of(unsigned n) {
  std::vector<float2> values(n);
  for (unsigned i = 0; i < n; ++i)
    values[i] = {(mixed(i) >> 16) / 65536.0f, (mixed(i + n) >> 16) / 65536.0f};
  return array(std::move(values));
}
constexpr double kTwoPi = 6.283185307179586;
template <class Launch>
std::function<Problem(unsigned)> fourier_problem(unsigned legs, Launch launch) {
  return [=](unsigned n) {
    auto in = points_of(n), out = room<float2>(n);
    std::vector<float2> table;
    for (unsigned k = 0; k < kPoints / 2; ++k)
      table.push_back({static_cast<float>(std::cos(kTwoPi * k / kPoints)),
                       static_cast<float>(-std::sin(kTwoPi * k / kPoints))});
    auto turns = array(table);
    const auto wanted = [=](unsigned at) {
      Complex sum = {0, 0};
      if (legs == kPoints) {
        const float2* const x = &in->host[at / kPoints * kPoints];
        for (unsigned k = 0; k < kPoints; ++k) {
          const Complex c = turned(x[k].x, x[k].y, -kTwoPi * (at * k % kPoints) / kPoints);
          sum = {sum.x + c.x, sum.y + c.y};
        }
        return sum;
      }
      const unsigned part = n / legs;
      const unsigned i = legs == 2 ? at % part : at / legs, leg = legs == 2 ? at / part : at % legs;
      for (unsigned k = 0; k < legs; ++k) {
        const float2 x = in->host[i + k * part];
        const Complex c = turned(x.x, x.y, -kTwoPi * (leg * k % legs) / legs);
        sum = {sum.x + c.x, sum.y + c.y};
      }
      return turned(sum.x, sum.y, -kTwoPi * leg * i / n);
    };
    return Problem{[=] { launch(in->data(), turns->data(), out->data(), n); },
                   [=] {
                     const std::vector<float2> got = out->device.download();
                     for (unsigned at = 0; at < n; at += n / 1000 | 1) {
                       const Complex want = wanted(at);
                       if (!near(got[at].x, want.x, 1e-4) || !near(got[at].y, want.y, 1e-4))
                         return false;
                     }
                     return true;
                   }};
  };
}

inline void add_fourier(Set& set) {
  const std::vector<unsigned> sizes = {1 << 13, 1 << 17, 1 << 21};
  using In = const float2*;
  set.add("stage_of_two", sizes, fourier_problem(2, [](In in, In, float2* out, unsigned n) {
            stage_of_two<<<n / 2 / 128, 128>>>(in, out, n);
          }));
  set.add("stage_of_four", sizes, fourier_problem(4, [](In in, In, float2* out, unsigned n) {
            stage_of_four<<<n / 4 / 128, 128>>>(in, out, n);
          }));
  set.add("whole_256", sizes,
          fourier_problem(kPoints, [](In in, In turns, float2* out, unsigned n) {
            whole_256<<<n / kPoints, kPoints / 2>>>(in, turns, out);
          }));
}

}  // namespace timing_set
