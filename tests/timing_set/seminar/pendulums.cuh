// SPDX-License-Identifier: MIT
// Many small systems that go on in time, each of its own: damped pendulums for a few steps, in place, from arrays of
// their own and from an array of structs; oscillators of van der Pol with steps as long as each allows, until a common
// end; and walkers at random between walls, who leave their tracks.
#pragma once

#include "../set.cuh"

namespace timing_set {

constexpr float kPendulumsStep = 0.02f;
constexpr int kPendulumsSteps = 4;

struct PendulumsOne {
  float angle, speed, length, damping;
  int number;
};

__host__ __device__ inline void pendulums_move(float& angle, float& speed, float length,
                                               float damping) {
  const float pull = 9.81f / length;
  for (int k = 0; k < kPendulumsSteps; ++k) {
    angle += 0.5f * kPendulumsStep * speed;
    speed -= kPendulumsStep * (pull * sinf(angle) + damping * speed);
    angle += 0.5f * kPendulumsStep * speed;
  }
}

__global__ void pendulums_arrays(float* angle, float* speed, const float* length,
                                 const float* damping, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  float a = angle[i], s = speed[i];
  pendulums_move(a, s, length[i], damping[i]);
  angle[i] = a;
  speed[i] = s;
}

__global__ void pendulums_structs(PendulumsOne* all, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  PendulumsOne& one = all[i];
  pendulums_move(one.angle, one.speed, one.length, one.damping);
}

constexpr float kPendulumsEnd = 5, kPendulumsError = 1e-4f;
constexpr int kPendulumsMost = 1000;

struct PendulumsPair {
  float x, v;
};
__host__ __device__ inline PendulumsPair pendulums_slope(PendulumsPair at, float mu) {
  return {at.v, mu * (1 - at.x * at.x) * at.v - at.x};
}
__host__ __device__ inline PendulumsPair pendulums_plus(PendulumsPair at, float h,
                                                        PendulumsPair slope) {
  return {at.x + h * slope.x, at.v + h * slope.v};
}

// Bogacki and Shampine's method of third order; the number of steps, those in vain among them.
__host__ __device__ inline int pendulums_follow(PendulumsPair& at, float mu) {
  float time = 0, h = 0.05f;
  int steps = 0;
  PendulumsPair one = pendulums_slope(at, mu);
  while (time < kPendulumsEnd && steps < kPendulumsMost) {
    ++steps;
    h = fminf(h, kPendulumsEnd - time);
    const PendulumsPair two = pendulums_slope(pendulums_plus(at, 0.5f * h, one), mu);
    const PendulumsPair three = pendulums_slope(pendulums_plus(at, 0.75f * h, two), mu);
    PendulumsPair next = pendulums_plus(at, h * (2.0f / 9), one);
    next = pendulums_plus(next, h * (1.0f / 3), two);
    next = pendulums_plus(next, h * (4.0f / 9), three);
    const PendulumsPair four = pendulums_slope(next, mu);
    const float ex = -5.0f / 72 * one.x + two.x / 12 + three.x / 9 - four.x / 8;
    const float ev = -5.0f / 72 * one.v + two.v / 12 + three.v / 9 - four.v / 8;
    const float error = h * fmaxf(fabsf(ex), fabsf(ev));
    if (error > kPendulumsError) {
      h *= 0.5f;  // once more
    } else {
      time += h;
      at = next;
      one = four;
      if (error < kPendulumsError / 12) h *= 2;
    }
  }
  return steps;
}

__global__ void pendulums_adaptive(const float* start, const float* mu, float2* end, int* steps,
                                   unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  PendulumsPair at = {start[i], 0};
  steps[i] = pendulums_follow(at, mu[i]);
  end[i] = make_float2(at.x, at.v);
}

constexpr int kPendulumsTrack = 16, kPendulumsBetween = 2, kPendulumsWall = 5;

// One step on a lattice; the walker stays where a wall is.
__host__ __device__ inline void pendulums_step(unsigned& state, int& x, int& y) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  const int step = (state >> 20) & 1 ? 1 : -1;
  int& along = (state >> 21) & 1 ? x : y;
  const int next = along + step;
  if (next >= -kPendulumsWall && next <= kPendulumsWall) along = next;
}

__global__ void pendulums_walk(const unsigned* seed, short2* track, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  unsigned state = seed[i];
  int x = 0, y = 0;
  for (int k = 0; k < kPendulumsTrack; ++k) {
    for (int m = 0; m < kPendulumsBetween; ++m) pendulums_step(state, x, y);
    track[k * n + i] = make_short2(static_cast<short>(x), static_cast<short>(y));
  }
}

// What pendulum i has at first.
inline PendulumsOne pendulums_first(unsigned i) {
  const auto part = [i](unsigned k) { return (mixed(4 * i + k) >> 16) / 65536.0f; };
  return {3 * part(0) - 1.5f, 2 * part(1) - 1, 0.5f + part(2), 0.3f * part(3), static_cast<int>(i)};
}
inline PendulumsOne pendulums_moved(unsigned i) {
  PendulumsOne one = pendulums_first(i);
  pendulums_move(one.angle, one.speed, one.length, one.damping);
  return one;
}

inline Problem pendulums_arrays_problem(unsigned n) {
  auto angle = array<float>(n, [](unsigned i) { return pendulums_first(i).angle; });
  auto speed = array<float>(n, [](unsigned i) { return pendulums_first(i).speed; });
  auto length = array<float>(n, [](unsigned i) { return pendulums_first(i).length; });
  auto damping = array<float>(n, [](unsigned i) { return pendulums_first(i).damping; });
  return Problem{[=] {
                   pendulums_arrays<<<blocks_of(n, 1024), 1024>>>(
                       angle->data(), speed->data(), length->data(), damping->data(), n);
                 },
                 [=] {
                   return agrees(angle, [](unsigned i) { return pendulums_moved(i).angle; }) &&
                          agrees(speed, [](unsigned i) { return pendulums_moved(i).speed; });
                 },
                 [=] {
                   angle->restore();
                   speed->restore();
                 }};
}

inline Problem pendulums_structs_problem(unsigned n) {
  auto all = array<PendulumsOne>(n, pendulums_first);
  return Problem{[=] { pendulums_structs<<<blocks_of(n), kBlock>>>(all->data(), n); },
                 [=] {
                   const std::vector<PendulumsOne> got = all->device.download();
                   for (unsigned i = 0; i < n; i += (n - 1 - i) / 1000 + 1) {
                     const PendulumsOne wanted = pendulums_moved(i);
                     if (!near(got[i].angle, wanted.angle, 1e-4) ||
                         !near(got[i].speed, wanted.speed, 1e-4) ||
                         got[i].number != wanted.number || got[i].length != wanted.length)
                       return false;
                   }
                   return true;
                 },
                 [=] { all->restore(); }};
}

inline Problem pendulums_adaptive_problem(unsigned n) {
  auto start = array<float>(n, [](unsigned i) { return 0.5f + mixed(i + 61) % 1000 / 500.0f; });
  auto mu = array<float>(n, [](unsigned i) { return mixed(i + 62) % 1000 / 250.0f; });
  auto end = room<float2>(n);
  auto steps = room<int>(n);
  return Problem{[=] {
                   pendulums_adaptive<<<blocks_of(n, 64), 64>>>(start->data(), mu->data(),
                                                                end->data(), steps->data(), n);
                 },
                 [=] {
                   const std::vector<float2> got = end->device.download();
                   const std::vector<int> count = steps->device.download();
                   for (unsigned i = 0; i < n; i += (n - 1 - i) / 1000 + 1) {
                     PendulumsPair at = {start->host[i], 0};
                     const int wanted = pendulums_follow(at, mu->host[i]);
                     if (!near(got[i].x, at.x, 0.01) || !near(got[i].y, at.v, 0.02) ||
                         !near(count[i], wanted, 0.1))
                       return false;
                   }
                   return true;
                 }};
}

inline Problem pendulums_walk_problem(unsigned n) {
  auto seed = array<unsigned>(n, [](unsigned i) { return mixed(i + 63) | 1; });
  auto track = room<short2>(std::size_t(n) * kPendulumsTrack);
  return Problem{
      [=] { pendulums_walk<<<blocks_of(n, 192), 192>>>(seed->data(), track->data(), n); },
      [=] {
        const std::vector<short2> got = track->device.download();
        for (unsigned i = 0; i < n; i += (n - 1 - i) / 1000 + 1) {
          unsigned state = seed->host[i];
          int x = 0, y = 0;
          for (int k = 0; k < kPendulumsTrack; ++k) {
            for (int m = 0; m < kPendulumsBetween; ++m) pendulums_step(state, x, y);
            const short2 at = got[std::size_t(k) * n + i];
            if (at.x != x || at.y != y) return false;
          }
        }
        return true;
      }};
}

inline void add_pendulums(Set& set) {
  const std::vector<unsigned> sizes = {4000, 500000, 3000001};
  set.add("pendulums_arrays", sizes, pendulums_arrays_problem);
  set.add("pendulums_structs", sizes, pendulums_structs_problem);
  set.add("pendulums_adaptive", {2000, 30000, 100003}, pendulums_adaptive_problem);
  set.add("pendulums_walk", {4000, 300000, 900001}, pendulums_walk_problem);
}

}  // namespace timing_set
