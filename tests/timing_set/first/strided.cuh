// SPDX-License-Identifier: MIT
// Copies that use a part of each sector only, or begin in the middle of one.
#pragma once
#include "../set.cuh"

namespace timing_set {

template <unsigned Read, unsigned Write>
__global__ void strided_copy(const float* in, float* out, unsigned n) {
  const unsigned i = thread_number();
  if (i < n) out[std::size_t{i} * Write] = in[std::size_t{i} * Read];
}
__global__ void shifted_copy(const float* in, float* out, unsigned n) {
  const unsigned i = thread_number();
  if (i < n) out[i] = in[i + 3];
}
struct Particle {
  float x, y, z, mass;
};
__global__ void fields_of_structs(const Particle* in, float* out, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  const volatile Particle* p = in + i;  // one load for each field
  out[i] = p->mass * (p->x + p->y + p->z);
}

template <unsigned Read, unsigned Write>
Problem strided_problem(unsigned n) {
  auto in = uniform(std::size_t{n} * Read, 1), out = room<float>(std::size_t{n} * Write);
  return {[=] { strided_copy<Read, Write><<<blocks_of(n), kBlock>>>(in->data(), out->data(), n); },
          [=] {
            const std::vector<float> got = out->device.download();
            for (unsigned i = 0; i < n; i += 977)
              if (got[std::size_t{i} * Write] != in->host[std::size_t{i} * Read]) return false;
            return true;
          }};
}

inline void add_strided(Set& set) {
  const std::vector<unsigned> sizes = {1 << 15, 1 << 18, 1 << 21};
  set.add("read_every_2", sizes, strided_problem<2, 1>);
  set.add("read_every_16", sizes, strided_problem<16, 1>);
  set.add("write_every_4", sizes, strided_problem<1, 4>);
  set.add("write_every_16", sizes, strided_problem<1, 16>);
  set.add("shifted_copy", sizes, [](unsigned n) {
    auto in = uniform(n + 3, 1), out = room<float>(n);
    return Problem{[=] { shifted_copy<<<blocks_of(n), kBlock>>>(in->data(), out->data(), n); },
                   [=] {
                     return agrees(
                         out, [=](unsigned i) { return in->host[i + 3]; }, 0);
                   }};
  });
  set.add("fields_of_structs", sizes, [](unsigned n) {
    auto in = uniform(std::size_t{n} * 4, 1);
    auto out = room<float>(n);
    return Problem{[=] {
                     fields_of_structs<<<blocks_of(n), kBlock>>>(
                         reinterpret_cast<const Particle*>(in->data()), out->data(), n);
                   },
                   [=] {
                     return agrees(out, [=](unsigned i) {
                       const float* p = &in->host[std::size_t{i} * 4];
                       return p[3] * (double{p[0]} + p[1] + p[2]);
                     });
                   }};
  });
}

}  // namespace timing_set
