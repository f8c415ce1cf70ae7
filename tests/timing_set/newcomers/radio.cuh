// SPDX-License-Identifier: MIT
// Demodulation of frequency-modulated radio, from samples of two parts: the angle between
// neighbours, a thread each, of bytes; a mean of ten by a thread that walks over them, with a
// polynomial for the angle; mixed down and filtered in shared memory before the angles; and a warp
// per chunk, that is silent where the signal is weak, in half precision.
#pragma once
#include <cuda_fp16.h>

#include "../set.cuh"

namespace timing_set {

constexpr unsigned kRadioMean = 10, kRadioFilter = 8, kRadioTile = 256, kRadioChunk = 320;
constexpr int kRadioSquelch = 1000 * int(kRadioChunk);

struct RadioOscillator {
  float cosine, sine;
};
__constant__ RadioOscillator kRadioTurn[16] = {{1, 0},
                                               {0.92387953f, 0.38268343f},
                                               {0.70710678f, 0.70710678f},
                                               {0.38268343f, 0.92387953f},
                                               {0, 1},
                                               {-0.38268343f, 0.92387953f},
                                               {-0.70710678f, 0.70710678f},
                                               {-0.92387953f, 0.38268343f},
                                               {-1, 0},
                                               {-0.92387953f, -0.38268343f},
                                               {-0.70710678f, -0.70710678f},
                                               {-0.38268343f, -0.92387953f},
                                               {0, -1},
                                               {0.38268343f, -0.92387953f},
                                               {0.70710678f, -0.70710678f},
                                               {0.92387953f, -0.38268343f}};

__host__ __device__ inline float radio_angle(float ax, float ay, float bx, float by) {
  return atan2f(ay * bx - ax * by, ax * bx + ay * by);
}

// Good to about a thousandth, which nobody hears.
__host__ __device__ inline float radio_rough_angle(float y, float x) {
  const float big = fmaxf(fabsf(x), fabsf(y)), little = fminf(fabsf(x), fabsf(y));
  const float r = little / (big + 1e-12f), s = r * r;
  float angle = ((-0.0464964749f * s + 0.15931422f) * s - 0.327622764f) * s * r + r;
  if (fabsf(y) > fabsf(x)) angle = 1.57079637f - angle;
  if (x < 0) angle = 3.14159274f - angle;
  return y < 0 ? -angle : angle;
}

__global__ void radio_plain(const char2* in, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (i == 0) {
    out[0] = 0;
    return;
  }
  out[i] = radio_angle(in[i].x, in[i].y, in[i - 1].x, in[i - 1].y);
}

__global__ void radio_walk(const float2* in, float* out, unsigned outputs) {
  const unsigned o = blockIdx.x * blockDim.x + threadIdx.x;
  if (o >= outputs) return;
  const unsigned begin = o * kRadioMean;
  float2 before = in[begin > 0 ? begin - 1 : 0];
  float sum = 0;
  for (unsigned i = begin; i < begin + kRadioMean; ++i) {
    const float2 now = in[i];
    sum +=
        radio_rough_angle(now.y * before.x - now.x * before.y, now.x * before.x + now.y * before.y);
    before = now;
  }
  out[o] = sum / kRadioMean;
}

// Blocks overlap by one filtered sample, the one that the first angle needs.
__global__ void __launch_bounds__(kRadioTile)
    radio_tile(const short2* __restrict__ in, float* __restrict__ out, unsigned n) {
  __shared__ float2 mixed_down[kRadioTile * kRadioFilter];
  __shared__ float2 filtered[kRadioTile];
  const unsigned first = blockIdx.x * (kRadioTile - 1);
  for (unsigned k = threadIdx.x; k < kRadioTile * kRadioFilter; k += kRadioTile) {
    const unsigned i = first * kRadioFilter + k;
    float2 turned = make_float2(0, 0);
    if (i < n) {
      const RadioOscillator o = kRadioTurn[i % 16];
      const short2 s = in[i];
      turned = make_float2(s.x * o.cosine + s.y * o.sine, s.y * o.cosine - s.x * o.sine);
    }
    mixed_down[k] = turned;
  }
  __syncthreads();
  float2 sum = make_float2(0, 0);
  for (unsigned k = 0; k < kRadioFilter; ++k) {
    const float2 one = mixed_down[threadIdx.x * kRadioFilter + k];
    sum.x += one.x;
    sum.y += one.y;
  }
  filtered[threadIdx.x] = sum;
  __syncthreads();
  const unsigned o = first + threadIdx.x;
  if (o >= n / kRadioFilter) return;
  if (threadIdx.x > 0) {
    const float2 before = filtered[threadIdx.x - 1];
    out[o] = radio_angle(sum.x, sum.y, before.x, before.y);
  } else if (o == 0) {
    out[0] = 0;
  }
}

__global__ void radio_squelch(const char4* __restrict__ in, __half2* __restrict__ out,
                              unsigned chunks) {
  constexpr unsigned kPairs = kRadioChunk / 2, kEach = kPairs / 32;
  const unsigned lane = threadIdx.x % 32, chunk = thread_number() / 32;
  if (chunk >= chunks) return;
  char4 mine[kEach];
  int power = 0;
#pragma unroll
  for (unsigned k = 0; k < kEach; ++k) {
    const char4 v = mine[k] = in[chunk * kPairs + k * 32 + lane];
    power += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  if (warp_sum(power) < kRadioSquelch) {
    for (unsigned k = 0; k < kEach; ++k)
      out[chunk * kPairs + k * 32 + lane] = __floats2half2_rn(0, 0);
    return;
  }
  int last_x = 0, last_y = 0;
  if (chunk > 0) {
    const char4 before = in[chunk * kPairs - 1];
    last_x = before.z;
    last_y = before.w;
  }
#pragma unroll
  for (unsigned k = 0; k < kEach; ++k) {
    int x = __shfl_up_sync(kAll, static_cast<int>(mine[k].z), 1);
    int y = __shfl_up_sync(kAll, static_cast<int>(mine[k].w), 1);
    if (lane == 0) x = last_x, y = last_y;
    const char4 v = mine[k];
    out[chunk * kPairs + k * 32 + lane] =
        __floats2half2_rn(radio_angle(v.x, v.y, x, y), radio_angle(v.z, v.w, v.x, v.y));
    last_x = __shfl_sync(kAll, static_cast<int>(v.z), 31);
    last_y = __shfl_sync(kAll, static_cast<int>(v.w), 31);
  }
}

inline bool radio_quiet(unsigned i) { return mixed(i / kRadioChunk + 31) % 3 == 0; }

// A tone that goes up and down, with some noise, and stations that fall silent.
inline char2 radio_sample(unsigned i) {
  static const std::vector<float> sine = [] {
    std::vector<float> made(4096);
    for (unsigned k = 0; k < 4096; ++k) made[k] = std::sin(float(k) * 6.2831853f / 4096);
    return made;
  }();
  const unsigned phase = i * 261 + unsigned(int(12000 * sine[i * 7 % 4096]));
  const float loud = radio_quiet(i) ? 9 : 100;
  const int noise = int(mixed(i) % 7) - 3;
  return make_char2(static_cast<signed char>(loud * sine[(phase + 1024) % 4096] + noise),
                    static_cast<signed char>(loud * sine[phase % 4096] - noise));
}
inline float radio_wanted(unsigned i) {
  if (i == 0) return 0;
  const char2 a = radio_sample(i), b = radio_sample(i - 1);
  return radio_angle(a.x, a.y, b.x, b.y);
}

inline Problem radio_plain_problem(unsigned n) {
  auto in = array<char2>(n, radio_sample);
  auto out = room<float>(n);
  return Problem{[=] { radio_plain<<<blocks_of(n), kBlock>>>(in->data(), out->data(), n); },
                 [=] { return agrees(out, radio_wanted); }};
}

inline Problem radio_walk_problem(unsigned n) {
  auto in = array<float2>(n, [](unsigned i) {
    const char2 s = radio_sample(i);
    return make_float2(s.x / 128.0f, s.y / 128.0f);
  });
  auto out = room<float>(n / kRadioMean);
  const auto wanted = [](unsigned o) {
    double sum = 0;
    for (unsigned i = o * kRadioMean; i < (o + 1) * kRadioMean; ++i) sum += radio_wanted(i);
    return sum / kRadioMean;
  };
  return Problem{[=] {
                   const unsigned outputs = n / kRadioMean;
                   radio_walk<<<blocks_of(outputs, 128), 128>>>(in->data(), out->data(), outputs);
                 },
                 [=] { return agrees(out, wanted, 3e-3); }};
}

inline Problem radio_tile_problem(unsigned n) {
  auto in = array<short2>(n, [](unsigned i) {
    const char2 s = radio_sample(i);
    return make_short2(s.x * 200, s.y * 200);
  });
  auto out = room<float>(n / kRadioFilter);
  const auto filtered = [](unsigned o, float& x, float& y) {
    double re = 0, im = 0;
    for (unsigned i = o * kRadioFilter; i < (o + 1) * kRadioFilter; ++i) {
      const char2 s = radio_sample(i);
      const double c = std::cos(i % 16 * 0.39269908), d = std::sin(i % 16 * 0.39269908);
      re += s.x * c + s.y * d;
      im += s.y * c - s.x * d;
    }
    x = float(re), y = float(im);
  };
  const auto wanted = [=](unsigned o) {
    if (o == 0) return 0.0f;
    float ax, ay, bx, by;
    filtered(o, ax, ay);
    filtered(o - 1, bx, by);
    return radio_angle(ax, ay, bx, by);
  };
  return Problem{[=] {
                   const unsigned blocks = blocks_of(n / kRadioFilter, kRadioTile - 1);
                   radio_tile<<<blocks, kRadioTile>>>(in->data(), out->data(), n);
                 },
                 [=] { return agrees(out, wanted, 1e-3); }};
}

inline Problem radio_squelch_problem(unsigned n) {
  auto in = array<char2>(n, radio_sample);
  auto out = room<__half>(n);
  const unsigned chunks = n / kRadioChunk;
  return Problem{
      [=] {
        radio_squelch<<<blocks_of(chunks, 16), 512>>>(reinterpret_cast<const char4*>(in->data()),
                                                      reinterpret_cast<__half2*>(out->data()),
                                                      chunks);
      },
      [=] {
        const auto wanted = [](unsigned i) { return radio_quiet(i) ? 0.0f : radio_wanted(i); };
        return agrees(out, wanted, 2e-3);
      }};
}

inline void add_radio(Set& set) {
  const std::vector<unsigned> sizes = {9600, 640000, 12800000};  // samples, whole chunks
  set.add("radio_plain", sizes, radio_plain_problem);
  set.add("radio_walk", sizes, radio_walk_problem);
  set.add("radio_tile", sizes, radio_tile_problem);
  set.add("radio_squelch", sizes, radio_squelch_problem);
}

}  // namespace timing_set
