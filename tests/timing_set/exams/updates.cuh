// SPDX-License-Identifier: MIT
// One time step of n particles in the plane: the force and a drag change the velocity, and the new
// velocity the position, all in place. Each quantity in an array of its own, by one particle a
// thread, four at a time, a loop over the grid, or eight neighbours a thread; or all six of a
// particle in a struct, directly or by way of shared memory.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr float kUpdatesTime = 0.01f;
constexpr float kUpdatesDrag = 0.3f;

__device__ inline void updates_step(float& px, float& py, float& vx, float& vy, float fx,
                                    float fy) {
  const float keep = 1.f / (1.f + kUpdatesDrag * sqrtf(vx * vx + vy * vy));
  vx = keep * vx + kUpdatesTime * fx;
  vy = keep * vy + kUpdatesTime * fy;
  px += kUpdatesTime * vx;
  py += kUpdatesTime * vy;
}

struct UpdatesArrays {
  float *px, *py, *vx, *vy;
  const float *fx, *fy;
};

__device__ inline void updates_one(const UpdatesArrays& all, unsigned i) {
  float px = all.px[i], py = all.py[i], vx = all.vx[i], vy = all.vy[i];
  updates_step(px, py, vx, vy, all.fx[i], all.fy[i]);
  all.px[i] = px;
  all.py[i] = py;
  all.vx[i] = vx;
  all.vy[i] = vy;
}

__global__ void updates_plain(UpdatesArrays all, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) updates_one(all, i);
}

__global__ void updates_loop(UpdatesArrays all, unsigned n) {
  const unsigned step = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) updates_one(all, i);
}

// The usual mistake of who comes from the CPU: neighbouring threads are eight particles apart.
constexpr unsigned kUpdatesChunk = 8;
__global__ void updates_chunks(UpdatesArrays all, unsigned n) {
  const unsigned first = kUpdatesChunk * (blockIdx.x * blockDim.x + threadIdx.x);
  for (unsigned i = first; i < first + kUpdatesChunk && i < n; ++i) updates_one(all, i);
}

// The first threads also have one of the up to three particles that are left.
__global__ void updates_fours(float* __restrict__ px, float* __restrict__ py,
                              float* __restrict__ vx, float* __restrict__ vy,
                              const float* __restrict__ fx, const float* __restrict__ fy,
                              unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 4) {
    float4 x = reinterpret_cast<float4*>(px)[i];
    float4 y = reinterpret_cast<float4*>(py)[i];
    float4 u = reinterpret_cast<float4*>(vx)[i];
    float4 v = reinterpret_cast<float4*>(vy)[i];
    const float4 f = reinterpret_cast<const float4*>(fx)[i];
    const float4 g = reinterpret_cast<const float4*>(fy)[i];
    updates_step(x.x, y.x, u.x, v.x, f.x, g.x);
    updates_step(x.y, y.y, u.y, v.y, f.y, g.y);
    updates_step(x.z, y.z, u.z, v.z, f.z, g.z);
    updates_step(x.w, y.w, u.w, v.w, f.w, g.w);
    reinterpret_cast<float4*>(px)[i] = x;
    reinterpret_cast<float4*>(py)[i] = y;
    reinterpret_cast<float4*>(vx)[i] = u;
    reinterpret_cast<float4*>(vy)[i] = v;
  }
  if (i < n % 4) {
    const unsigned rest = n - 1 - i;
    updates_step(px[rest], py[rest], vx[rest], vy[rest], fx[rest], fy[rest]);
  }
}

struct UpdatesParticle {
  float px, py, vx, vy, fx, fy;
};

__global__ void updates_structs(UpdatesParticle* particles, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  UpdatesParticle p = particles[i];
  updates_step(p.px, p.py, p.vx, p.vy, p.fx, p.fy);
  particles[i].px = p.px;
  particles[i].py = p.py;
  particles[i].vx = p.vx;
  particles[i].vy = p.vy;
}

// The block copies its structs as plain numbers, so that neighbouring threads read neighbours.
constexpr unsigned kUpdatesBlock = 192;
__global__ void updates_tiles(float* numbers, unsigned n) {
  __shared__ UpdatesParticle tile[kUpdatesBlock];
  float* const flat = reinterpret_cast<float*>(tile);
  const unsigned first = 6 * blockIdx.x * kUpdatesBlock;
  const unsigned here = min(6 * kUpdatesBlock, 6 * n - first);
  for (unsigned k = threadIdx.x; k < here; k += kUpdatesBlock) flat[k] = numbers[first + k];
  __syncthreads();
  if (6 * threadIdx.x < here) {
    UpdatesParticle& p = tile[threadIdx.x];
    updates_step(p.px, p.py, p.vx, p.vy, p.fx, p.fy);
  }
  __syncthreads();
  for (unsigned k = threadIdx.x; k < here; k += kUpdatesBlock) numbers[first + k] = flat[k];
}

// The number that the step leaves at place which (0 to 5) of a particle's six.
inline double updates_wanted(double px, double py, double vx, double vy, double fx, double fy,
                             unsigned which) {
  const double keep = 1 / (1 + kUpdatesDrag * std::sqrt(vx * vx + vy * vy));
  const double u = keep * vx + kUpdatesTime * fx;
  const double v = keep * vy + kUpdatesTime * fy;
  const double all[6] = {px + kUpdatesTime * u, py + kUpdatesTime * v, u, v, fx, fy};
  return all[which];
}

struct UpdatesData {
  explicit UpdatesData(unsigned n) {
    for (unsigned k = 0; k < 6; ++k)
      all.push_back(array<float>(n, [=](unsigned i) {
        const double part = (mixed(i ^ (k + 1) << 24) >> 16) / 65536.0;
        return k < 2 ? part : 2 * part - 1;  // velocities and forces go both ways
      }));
  }
  UpdatesArrays arrays() const {
    return {all[0]->data(), all[1]->data(), all[2]->data(),
            all[3]->data(), all[4]->data(), all[5]->data()};
  }
  bool right() const {
    for (unsigned k = 0; k < 4; ++k)
      if (!agrees(all[k], [this, k](unsigned i) {
            return updates_wanted(all[0]->host[i], all[1]->host[i], all[2]->host[i],
                                  all[3]->host[i], all[4]->host[i], all[5]->host[i], k);
          }))
        return false;
    return true;
  }
  void restore() const {
    for (unsigned k = 0; k < 4; ++k) all[k]->restore();
  }
  std::vector<Shared<float>> all;
};

inline bool updates_right(const Shared<float>& numbers) {
  return agrees(numbers, [=](unsigned i) {
    const float* p = &numbers->host[i / 6 * 6];
    return updates_wanted(p[0], p[1], p[2], p[3], p[4], p[5], i % 6);
  });
}
inline Shared<float> updates_numbers(unsigned n) {
  return array<float>(6 * std::size_t{n}, [](unsigned i) {
    const double part = (mixed(i ^ 7u << 24) >> 16) / 65536.0;
    return i % 6 < 2 ? part : 2 * part - 1;
  });
}

inline void updates_add_arrays(Set& set, const std::vector<unsigned>& sizes) {
  set.add("updates_plain", sizes, [](unsigned n) {
    const UpdatesData data(n);
    return Problem{[=] { updates_plain<<<blocks_of(n, 256), 256>>>(data.arrays(), n); },
                   [=] { return data.right(); }, [=] { data.restore(); }};
  });
  set.add("updates_loop", sizes, [](unsigned n) {
    const UpdatesData data(n);
    return Problem{[=] { updates_loop<<<2 * 132, 1024>>>(data.arrays(), n); },
                   [=] { return data.right(); }, [=] { data.restore(); }};
  });
  set.add("updates_chunks", sizes, [](unsigned n) {
    const UpdatesData data(n);
    return Problem{[=] {
                     updates_chunks<<<blocks_of(blocks_of(n, kUpdatesChunk), 512), 512>>>(
                         data.arrays(), n);
                   },
                   [=] { return data.right(); }, [=] { data.restore(); }};
  });
  set.add("updates_fours", sizes, [](unsigned n) {
    const UpdatesData data(n);
    return Problem{[=] {
                     const UpdatesArrays a = data.arrays();
                     updates_fours<<<blocks_of(n / 4, 64), 64>>>(a.px, a.py, a.vx, a.vy, a.fx, a.fy,
                                                                 n);
                   },
                   [=] { return data.right(); }, [=] { data.restore(); }};
  });
}

inline void add_updates(Set& set) {
  const std::vector<unsigned> sizes = {10'007, 2'500'003, 9'000'001};
  updates_add_arrays(set, sizes);
  set.add("updates_structs", sizes, [](unsigned n) {
    auto numbers = updates_numbers(n);
    return Problem{[=] {
                     updates_structs<<<blocks_of(n, 128), 128>>>(
                         reinterpret_cast<UpdatesParticle*>(numbers->data()), n);
                   },
                   [=] { return updates_right(numbers); }, [=] { numbers->restore(); }};
  });
  set.add("updates_tiles", sizes, [](unsigned n) {
    auto numbers = updates_numbers(n);
    return Problem{
        [=] { updates_tiles<<<blocks_of(n, kUpdatesBlock), kUpdatesBlock>>>(numbers->data(), n); },
        [=] { return updates_right(numbers); }, [=] { numbers->restore(); }};
  });
}

}  // namespace timing_set
