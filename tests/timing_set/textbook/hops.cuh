// SPDX-License-Identifier: MIT
// Records of seven words, of particles in a box: one word of each picked with a stride, the
// particles moved where they are an array of structs, moved where they are a struct of arrays, and
// the first layout brought into the second by way of shared memory.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr float kHopsStep = 1.0f / 64;
constexpr unsigned kHopsFields = 7;

struct HopsParticle {
  float x, y, z;
  float speed_x, speed_y, speed_z;
  int kind;  // those of kind 0 belong to the wall
};

struct HopsPlanes {
  float *x, *y, *z;
  float *speed_x, *speed_y, *speed_z;
  int* kind;
};

// A particle that has left the box turns round.
__host__ __device__ inline void hops_move(float& place, float& speed) {
  place += speed * kHopsStep;
  if (place < 0 || place > 1) speed = -speed;
}

__global__ void hops_stride(float* out, const float* in, unsigned stride, unsigned offset,
                            unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i * stride + offset];
}

__global__ void hops_structs(HopsParticle* particles, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  HopsParticle p = particles[i];
  if (p.kind == 0) return;
  hops_move(p.x, p.speed_x);
  hops_move(p.y, p.speed_y);
  hops_move(p.z, p.speed_z);
  particles[i] = p;
}

__device__ inline void hops_move_in_planes(float* place, float* speed, unsigned i) {
  const float before = speed[i];
  float now = before;
  hops_move(place[i], now);
  if (now != before) speed[i] = now;
}

__global__ void hops_planes(const HopsPlanes all, unsigned n) {
  for (unsigned i = thread_number(); i < n; i += gridDim.x * blockDim.x) {
    if (all.kind[i] == 0) continue;
    hops_move_in_planes(all.x, all.speed_x, i);
    hops_move_in_planes(all.y, all.speed_y, i);
    hops_move_in_planes(all.z, all.speed_z, i);
  }
}

// From n records of kFields words to kFields planes of n words.
template <unsigned kFields, unsigned kThreads>
__global__ void __launch_bounds__(kThreads)
    hops_split(float* __restrict__ planes, const float* __restrict__ records, unsigned n) {
  __shared__ float words[kFields * kThreads];
  const unsigned first = blockIdx.x * kThreads;
#pragma unroll
  for (unsigned k = 0; k < kFields; ++k) {
    const unsigned at = k * kThreads + threadIdx.x;
    if (first * kFields + at < n * kFields) words[at] = records[first * kFields + at];
  }
  __syncthreads();
  if (first + threadIdx.x >= n) return;
#pragma unroll
  for (unsigned k = 0; k < kFields; ++k)
    planes[k * n + first + threadIdx.x] = words[threadIdx.x * kFields + k];
}

inline HopsParticle hops_particle(unsigned i) {
  const auto part = [i](unsigned k) {
    return static_cast<float>(mixed(i * kHopsFields + k) >> 16) / 65536;
  };
  return {part(0),
          part(1),
          part(2),
          part(3) * 4 - 2,
          part(4) * 4 - 2,
          part(5) * 4 - 2,
          static_cast<int>(mixed(i + 31) % 8)};
}
inline HopsParticle hops_moved(unsigned i) {
  HopsParticle p = hops_particle(i);
  if (p.kind == 0) return p;
  hops_move(p.x, p.speed_x);
  hops_move(p.y, p.speed_y);
  hops_move(p.z, p.speed_z);
  return p;
}
inline float hops_field(const HopsParticle& p, unsigned k) {
  const float fields[] = {p.x, p.y, p.z, p.speed_x, p.speed_y, p.speed_z};
  return fields[k];
}

inline Problem hops_stride_problem(unsigned n) {
  auto in = uniform(std::size_t{n} * kHopsFields, 32);
  auto out = room<float>(n);
  constexpr unsigned kThreads = 1024, kOffset = 3;
  return Problem{[=] {
                   hops_stride<<<blocks_of(n, kThreads), kThreads>>>(out->data(), in->data(),
                                                                     kHopsFields, kOffset, n);
                 },
                 [=] {
                   return agrees(
                       out, [&](unsigned i) { return in->host[i * kHopsFields + kOffset]; }, 0);
                 }};
}

inline Problem hops_structs_problem(unsigned n) {
  auto particles = array<HopsParticle>(n, hops_particle);
  return Problem{[=] { hops_structs<<<blocks_of(n, 128), 128>>>(particles->data(), n); },
                 [=] {
                   const std::vector<HopsParticle> got = particles->device.download();
                   for (unsigned i = 0; i < n; i += (n - 1 - i) / 1000 + 1) {
                     const HopsParticle wanted = hops_moved(i);
                     if (got[i].kind != wanted.kind) return false;
                     for (unsigned k = 0; k + 1 < kHopsFields; ++k)
                       if (!near(hops_field(got[i], k), hops_field(wanted, k), 1e-6)) return false;
                   }
                   return true;
                 },
                 [=] { particles->restore(); }};
}

inline Problem hops_planes_problem(unsigned n) {
  std::vector<Shared<float>> planes;
  for (unsigned k = 0; k + 1 < kHopsFields; ++k)
    planes.push_back(array<float>(n, [k](unsigned i) { return hops_field(hops_particle(i), k); }));
  auto kind = array<int>(n, [](unsigned i) { return hops_particle(i).kind; });
  const HopsPlanes all = {planes[0]->data(), planes[1]->data(), planes[2]->data(),
                          planes[3]->data(), planes[4]->data(), planes[5]->data(),
                          kind->data()};
  return Problem{
      [=] { hops_planes<<<std::min(blocks_of(n, 512), 528u), 512>>>(all, n); },
      [=] {
        for (unsigned k = 0; k + 1 < kHopsFields; ++k)
          if (!agrees(
                  planes[k], [&](unsigned i) { return hops_field(hops_moved(i), k); }, 1e-6))
            return false;
        return kind->host[0] == hops_moved(0).kind;
      },
      [=] {
        for (const Shared<float>& plane : planes) plane->restore();
      }};
}

inline Problem hops_split_problem(unsigned n) {
  auto records = uniform(std::size_t{n} * kHopsFields, 33);
  auto planes = room<float>(std::size_t{n} * kHopsFields);
  constexpr unsigned kThreads = 256;
  return Problem{[=] {
                   hops_split<kHopsFields, kThreads>
                       <<<blocks_of(n, kThreads), kThreads>>>(planes->data(), records->data(), n);
                 },
                 [=] {
                   return agrees(
                       planes,
                       [&](unsigned i) { return records->host[i % n * kHopsFields + i / n]; }, 0);
                 }};
}

inline void add_hops(Set& set) {
  const std::vector<unsigned> sizes = {5003, 500009, 3000017};
  set.add("hops_stride", sizes, hops_stride_problem);
  set.add("hops_structs", sizes, hops_structs_problem);
  set.add("hops_planes", sizes, hops_planes_problem);
  set.add("hops_split", sizes, hops_split_problem);
}

}  // namespace timing_set
