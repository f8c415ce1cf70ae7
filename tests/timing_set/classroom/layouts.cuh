// SPDX-License-Identifier: MIT
// Where the parts of things lie: particles moved in a box, as an array of structs and as a struct
// of arrays; the array of structs made into arrays through shared memory; and stereo sound, two
// channels of small integers in turns, made into two channels of floats.
#pragma once

#include "../set.cuh"

namespace timing_set {

constexpr float kLayoutsStep = 0.125f;

struct LayoutsParticle {
  float x, y, z;
  float vx, vy, vz;
};

struct LayoutsArrays {
  float *x, *y, *z;
  float *vx, *vy, *vz;
};

// A particle that has left the box comes back by and by.
__host__ __device__ inline void layouts_move(float& position, float& velocity) {
  position += kLayoutsStep * velocity;
  if (position < 0 || position > 1) velocity = -velocity;
}

__global__ void layouts_structs(LayoutsParticle* particles, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  layouts_move(particles[i].x, particles[i].vx);
  layouts_move(particles[i].y, particles[i].vy);
  layouts_move(particles[i].z, particles[i].vz);
}

__global__ void layouts_arrays(LayoutsArrays all, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  layouts_move(all.x[i], all.vx[i]);
  layouts_move(all.y[i], all.vy[i]);
  layouts_move(all.z[i], all.vz[i]);
}

constexpr unsigned kLayoutsFields = 6, kLayoutsBlock = 256;

// Reads the structs of a block as one run of floats, and writes one run for each field.
__global__ void layouts_split(const float* structs, float* arrays, unsigned n) {
  __shared__ float part[kLayoutsBlock * kLayoutsFields];
  const unsigned first = blockIdx.x * kLayoutsBlock;
  for (unsigned k = threadIdx.x; k < kLayoutsBlock * kLayoutsFields; k += kLayoutsBlock)
    if (first * kLayoutsFields + k < n * kLayoutsFields)
      part[k] = structs[first * kLayoutsFields + k];
  __syncthreads();
  const unsigned i = first + threadIdx.x;
  if (i >= n) return;
  for (unsigned field = 0; field < kLayoutsFields; ++field)
    arrays[field * n + i] = part[threadIdx.x * kLayoutsFields + field];
}

// Left and right in turns, two of each by one thread.
__global__ void layouts_stereo(const short4* sound, float2* left, float2* right, unsigned pairs) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < pairs) {
    const short4 four = sound[i];
    left[i] = make_float2(four.x / 32768.0f, four.z / 32768.0f);
    right[i] = make_float2(four.y / 32768.0f, four.w / 32768.0f);
  }
}

inline Problem layouts_structs_problem(unsigned n) {
  auto particles = array<LayoutsParticle>(n, [](unsigned i) {
    const auto part = [&](unsigned k) { return (mixed(i * 6 + k) >> 16) / 65536.0f; };
    return LayoutsParticle{part(0),        part(1),        part(2),
                           part(3) - 0.5f, part(4) - 0.5f, part(5) - 0.5f};
  });
  return Problem{[=] { layouts_structs<<<blocks_of(n, 256), 256>>>(particles->data(), n); },
                 [=] {
                   const std::vector<LayoutsParticle> got = particles->device.download();
                   for (unsigned i = 0; i < n; i += (n - 1 - i) / 1000 + 1) {
                     LayoutsParticle wanted = particles->host[i];
                     layouts_move(wanted.x, wanted.vx);
                     layouts_move(wanted.y, wanted.vy);
                     layouts_move(wanted.z, wanted.vz);
                     if (!near(got[i].x, wanted.x, 1e-6) || !near(got[i].vx, wanted.vx, 1e-6) ||
                         !near(got[i].y, wanted.y, 1e-6) || !near(got[i].vy, wanted.vy, 1e-6) ||
                         !near(got[i].z, wanted.z, 1e-6) || !near(got[i].vz, wanted.vz, 1e-6))
                       return false;
                   }
                   return true;
                 },
                 [=] { particles->restore(); }};
}

inline Problem layouts_arrays_problem(unsigned n) {
  const auto velocity = [=](unsigned seed) {
    return array<float>(
        n, [=](unsigned i) { return (mixed(i ^ (seed << 24)) >> 16) / 65536.0 - 0.5; });
  };
  const std::vector<Shared<float>> places = {uniform(n, 51), uniform(n, 52), uniform(n, 53)};
  const std::vector<Shared<float>> speeds = {velocity(54), velocity(55), velocity(56)};
  const LayoutsArrays all = {places[0]->data(), places[1]->data(), places[2]->data(),
                             speeds[0]->data(), speeds[1]->data(), speeds[2]->data()};
  return Problem{[=] { layouts_arrays<<<blocks_of(n, 128), 128>>>(all, n); },
                 [=] {
                   for (int axis = 0; axis < 3; ++axis) {
                     const auto after = [&](unsigned i, bool place) {
                       float p = places[axis]->host[i], v = speeds[axis]->host[i];
                       layouts_move(p, v);
                       return place ? p : v;
                     };
                     if (!agrees(
                             places[axis], [&](unsigned i) { return after(i, true); }, 1e-6) ||
                         !agrees(
                             speeds[axis], [&](unsigned i) { return after(i, false); }, 1e-6))
                       return false;
                   }
                   return true;
                 },
                 [=] {
                   for (const Shared<float>& one : places) one->restore();
                   for (const Shared<float>& one : speeds) one->restore();
                 }};
}

inline Problem layouts_split_problem(unsigned n) {
  const std::size_t floats = std::size_t(n) * kLayoutsFields;
  auto structs = uniform(floats, 57), arrays = room<float>(floats);
  return Problem{
      [=] {
        layouts_split<<<blocks_of(n, kLayoutsBlock), kLayoutsBlock>>>(structs->data(),
                                                                      arrays->data(), n);
      },
      [=] {
        return agrees(
            arrays, [&](unsigned i) { return structs->host[i % n * kLayoutsFields + i / n]; }, 0);
      }};
}

inline Problem layouts_stereo_problem(unsigned n) {
  auto sound = array<short>(2 * std::size_t(n), [](unsigned i) {
    return static_cast<int>(mixed(i + 58) % 65536) - 32768;
  });
  auto left = room<float>(n), right = room<float>(n);
  return Problem{[=] {
                   layouts_stereo<<<blocks_of(n / 2, 1024), 1024>>>(
                       reinterpret_cast<const short4*>(sound->data()),
                       reinterpret_cast<float2*>(left->data()),
                       reinterpret_cast<float2*>(right->data()), n / 2);
                 },
                 [=] {
                   const auto wanted = [&](unsigned i) { return sound->host[i] / 32768.0; };
                   return agrees(
                              left, [&](unsigned i) { return wanted(2 * i); }, 1e-6) &&
                          agrees(
                              right, [&](unsigned i) { return wanted(2 * i + 1); }, 1e-6);
                 }};
}

inline void add_layouts(Set& set) {
  const std::vector<unsigned> sizes = {3001, 500001, 8000001};
  set.add("layouts_structs", sizes, layouts_structs_problem);
  set.add("layouts_arrays", sizes, layouts_arrays_problem);
  set.add("layouts_split", sizes, layouts_split_problem);
  set.add("layouts_stereo", {6000, 2000000, 30000000}, layouts_stereo_problem);
}

}  // namespace timing_set
