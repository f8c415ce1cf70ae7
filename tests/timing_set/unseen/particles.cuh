// SPDX-License-Identifier: MIT
// Particles drawn to a centre take a step: of a structure each, of seven arrays, and of two arrays of four floats.
#pragma once
#include "../set.cuh"

namespace timing_set {

struct Particle {
  float x, y, z, mass, u, v, w;
};
constexpr float kStep = 0.01f;
__host__ __device__ inline Particle moved(Particle p) {
  const float square = p.x * p.x + p.y * p.y + p.z * p.z + 0.01f;
#ifdef __CUDA_ARCH__
  const float far = rsqrtf(square);
#else
  const float far = 1 / std::sqrt(square);
#endif
  const float pull = -p.mass * far * far * far * kStep;
  p.u += pull * p.x;
  p.v += pull * p.y;
  p.w += pull * p.z;
  p.x += p.u * kStep;
  p.y += p.v * kStep;
  p.z += p.w * kStep;
  return p;
}
__global__ void particles_structs(const Particle* in, Particle* out, unsigned n) {
  const unsigned i = thread_number();
  if (i < n) out[i] = moved(in[i]);
}
__global__ void particles_arrays(const float* in, float* out, unsigned n) {
  for (unsigned i = thread_number(); i < n; i += gridDim.x * blockDim.x) {
    const Particle p = moved({in[i], in[n + i], in[2 * n + i], in[3 * n + i], in[4 * n + i],
                              in[5 * n + i], in[6 * n + i]});
    out[i] = p.x, out[n + i] = p.y, out[2 * n + i] = p.z, out[3 * n + i] = p.mass;
    out[4 * n + i] = p.u, out[5 * n + i] = p.v, out[6 * n + i] = p.w;
  }
}
__global__ void particles_fours(const float4* in, float4* out, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  const float4 a = in[i], b = in[n + i];
  const Particle p = moved({a.x, a.y, a.z, a.w, b.x, b.y, b.z});
  out[i] = {p.x, p.y, p.z, p.mass};
  out[n + i] = {p.u, p.v, p.w, b.w};
}

// Of the element with this number of an array of fields: which particle's, and which field (7: nothing).
using Place = std::pair<unsigned, unsigned> (*)(unsigned, unsigned);
template <unsigned Fields, class Launch>
std::function<Problem(unsigned)> particles_problem(Place place, Launch launch) {
  return [=](unsigned n) {
    const auto field_of = [](unsigned i, unsigned k) {
      return k == 7 ? 0.0f : static_cast<float>(mixed(i * 7 + k) >> 16) / 65536;
    };
    auto in = array<float>(n * Fields, [=](unsigned j) {
      const auto [i, k] = place(j, n);
      return field_of(i, k);
    });
    auto out = room<float>(n * Fields);
    return Problem{[=] { launch(in->data(), out->data(), n); },
                   [=] {
                     return agrees(out, [=](unsigned j) {
                       const auto [i, k] = place(j, n);
                       float f[8];
                       for (unsigned m = 0; m < 8; ++m) f[m] = field_of(i, m);
                       const Particle p = moved({f[0], f[1], f[2], f[3], f[4], f[5], f[6]});
                       const float got[8] = {p.x, p.y, p.z, p.mass, p.u, p.v, p.w, 0};
                       return got[k];
                     });
                   }};
  };
}

inline void add_particles(Set& set) {
  const std::vector<unsigned> sizes = {5000, 80000, 3000000};
  const Place of_structs = [](unsigned j, unsigned) { return std::pair{j / 7, j % 7}; };
  const Place of_arrays = [](unsigned j, unsigned n) { return std::pair{j % n, j / n}; };
  const Place of_fours = [](unsigned j, unsigned n) {
    return std::pair{j / 4 % n, j / 4 / n * 4 + j % 4};
  };
  using In = const float*;
  set.add("particles_structs", sizes,
          particles_problem<7>(of_structs, [](In in, float* out, unsigned n) {
            particles_structs<<<blocks_of(n), kBlock>>>(reinterpret_cast<const Particle*>(in),
                                                        reinterpret_cast<Particle*>(out), n);
          }));
  set.add("particles_arrays", sizes,
          particles_problem<7>(of_arrays, [](In in, float* out, unsigned n) {
            particles_arrays<<<std::min(blocks_of(n), 1056u), kBlock>>>(in, out, n);
          }));
  set.add("particles_fours", sizes,
          particles_problem<8>(of_fours, [](In in, float* out, unsigned n) {
            particles_fours<<<blocks_of(n, 128), 128>>>(reinterpret_cast<const float4*>(in),
                                                        reinterpret_cast<float4*>(out), n);
          }));
}

}  // namespace timing_set
