// SPDX-License-Identifier: MIT
// n particles fall for a moment, and the energy of each is noted: as an array of structs, as a
// struct of arrays, structs by way of shared memory, and from structs into arrays.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr float kRecordsTime = 0.125f;
constexpr float kRecordsGravity = -9.5f;

struct RecordsParticle {
  float x, y, z;
  float vx, vy, vz;
  float mass;
};
constexpr unsigned kRecordsFields = 7;

__device__ inline float records_energy(float mass, float vx, float vy, float vz) {
  return 0.5f * mass * (vx * vx + vy * vy + vz * vz);
}
__device__ inline void records_move(RecordsParticle& p) {
  p.vz += kRecordsGravity * kRecordsTime;
  p.x += p.vx * kRecordsTime;
  p.y += p.vy * kRecordsTime;
  p.z += p.vz * kRecordsTime;
}

__global__ void records_structs(RecordsParticle* particles, float* energy, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  RecordsParticle p = particles[i];
  records_move(p);
  particles[i] = p;
  energy[i] = records_energy(p.mass, p.vx, p.vy, p.vz);
}

struct RecordsArrays {
  float *x, *y, *z;
  float *vx, *vy, *vz;
  float* mass;
};

__global__ void records_arrays(RecordsArrays all, float* energy, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float vx = all.vx[i], vy = all.vy[i];
  const float vz = all.vz[i] + kRecordsGravity * kRecordsTime;
  all.vz[i] = vz;
  all.x[i] += vx * kRecordsTime;
  all.y[i] += vy * kRecordsTime;
  all.z[i] += vz * kRecordsTime;
  energy[i] = records_energy(all.mass[i], vx, vy, vz);
}

// A block copies its particles into shared memory float by float, side by side, and back again.
constexpr unsigned kRecordsStaged = 192;
__global__ void records_staged(float* particles, float* energy, unsigned n) {
  __shared__ float staged[kRecordsStaged * kRecordsFields];
  const unsigned first = blockIdx.x * kRecordsStaged;
  const unsigned count = min(kRecordsStaged, n - first);
  float* mine = particles + first * kRecordsFields;
  for (unsigned k = threadIdx.x; k < count * kRecordsFields; k += kRecordsStaged)
    staged[k] = mine[k];
  __syncthreads();
  if (threadIdx.x < count) {
    RecordsParticle& p = reinterpret_cast<RecordsParticle*>(staged)[threadIdx.x];
    records_move(p);
    energy[first + threadIdx.x] = records_energy(p.mass, p.vx, p.vy, p.vz);
  }
  __syncthreads();
  for (unsigned k = threadIdx.x; k < count * kRecordsFields; k += kRecordsStaged)
    mine[k] = staged[k];
}

__global__ void records_convert(const RecordsParticle* __restrict__ particles, RecordsArrays to,
                                float* __restrict__ energy, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    RecordsParticle p = particles[i];
    records_move(p);
    to.x[i] = p.x;
    to.y[i] = p.y;
    to.z[i] = p.z;
    to.vx[i] = p.vx;
    to.vy[i] = p.vy;
    to.vz[i] = p.vz;
    to.mass[i] = p.mass;
    energy[i] = records_energy(p.mass, p.vx, p.vy, p.vz);
  }
}

inline RecordsArrays records_pointers(float* data, std::size_t n) {
  return {data, data + n, data + 2 * n, data + 3 * n, data + 4 * n, data + 5 * n, data + 6 * n};
}

// Where a field of a particle is among all the floats: beside its other fields, or its neighbours'.
inline unsigned records_place(bool structs, unsigned n, unsigned particle, unsigned field) {
  return structs ? particle * kRecordsFields + field : field * n + particle;
}

// What a launch should make of what the host has in `before`.
inline bool records_right(const Shared<float>& before, bool structs_before,
                          const Shared<float>& after, bool structs_after,
                          const Shared<float>& energy) {
  const unsigned n = energy->size();
  const auto at = [=](unsigned particle, unsigned field) -> double {
    return before->host[records_place(structs_before, n, particle, field)];
  };
  const auto speed = [=](unsigned particle, unsigned axis) {
    return at(particle, 3 + axis) + (axis == 2 ? kRecordsGravity * kRecordsTime : 0);
  };
  const bool moved = agrees(after, [=](unsigned i) {
    const unsigned particle = structs_after ? i / kRecordsFields : i % n;
    const unsigned field = structs_after ? i % kRecordsFields : i / n;
    if (field < 3) return at(particle, field) + speed(particle, field) * kRecordsTime;
    return field < 6 ? speed(particle, field - 3) : at(particle, field);
  });
  return moved && agrees(energy, [=](unsigned i) {
           const double vx = speed(i, 0), vy = speed(i, 1), vz = speed(i, 2);
           return 0.5 * at(i, 6) * (vx * vx + vy * vy + vz * vz);
         });
}

inline void add_records(Set& set) {
  const std::vector<unsigned> sizes = {150'001, 3'000'000};
  set.add("records_structs", sizes, [](unsigned n) {
    auto all = uniform(kRecordsFields * n, 1), energy = room<float>(n);
    return Problem{[=] {
                     records_structs<<<blocks_of(n, 128), 128>>>(
                         reinterpret_cast<RecordsParticle*>(all->data()), energy->data(), n);
                   },
                   [=] { return records_right(all, true, all, true, energy); },
                   [=] { all->restore(); }};
  });
  set.add("records_arrays", sizes, [](unsigned n) {
    auto all = uniform(kRecordsFields * n, 2), energy = room<float>(n);
    return Problem{[=] {
                     records_arrays<<<blocks_of(n, 1024), 1024>>>(records_pointers(all->data(), n),
                                                                  energy->data(), n);
                   },
                   [=] { return records_right(all, false, all, false, energy); },
                   [=] { all->restore(); }};
  });
  set.add("records_staged", sizes, [](unsigned n) {
    auto all = uniform(kRecordsFields * n, 3), energy = room<float>(n);
    return Problem{[=] {
                     records_staged<<<blocks_of(n, kRecordsStaged), kRecordsStaged>>>(
                         all->data(), energy->data(), n);
                   },
                   [=] { return records_right(all, true, all, true, energy); },
                   [=] { all->restore(); }};
  });
  set.add("records_convert", sizes, [](unsigned n) {
    auto in = uniform(kRecordsFields * n, 4), out = room<float>(kRecordsFields * n);
    auto energy = room<float>(n);
    return Problem{[=] {
                     records_convert<<<12 * 132, 64>>>(
                         reinterpret_cast<const RecordsParticle*>(in->data()),
                         records_pointers(out->data(), n), energy->data(), n);
                   },
                   [=] { return records_right(in, true, out, false, energy); }};
  });
}

}  // namespace timing_set
