// SPDX-License-Identifier: MIT
// Random numbers: a sequence for each thread, written side by side or each by itself; numbers from a counter; and elements
// dropped at random.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kDraws = 32;
__host__ __device__ inline unsigned next_of(unsigned& state) {
  state ^= state << 13;
  state ^= state >> 17;
  return state ^= state << 5;
}
template <bool SideBySide>
__global__ void noise_sequences(unsigned* out, unsigned n) {
  const unsigned i = thread_number(), threads = n / kDraws;
  if (i >= threads) return;
  unsigned state = mixed(i) | 1;
  for (unsigned k = 0; k < kDraws; ++k)
    out[SideBySide ? k * threads + i : i * kDraws + k] = next_of(state);
}
struct Four {
  unsigned v[4];
};
__host__ __device__ inline unsigned high_part(unsigned a, unsigned b) {
  return static_cast<unsigned>(std::uint64_t{a} * b >> 32);
}
__host__ __device__ inline Four counted(unsigned i) {
  unsigned a = i, b = 0, c = 0, d = 0, first = 0x12345u, second = 0x6789au;
  for (int round = 0; round < 10; ++round) {
    const unsigned high_a = high_part(0xd2511f53u, a), low_a = 0xd2511f53u * a;
    const unsigned high_c = high_part(0xcd9e8d57u, c), low_c = 0xcd9e8d57u * c;
    a = high_c ^ b ^ first;
    b = low_c;
    c = high_a ^ d ^ second;
    d = low_a;
    first += 0x9e3779b9u;
    second += 0xbb67ae85u;
  }
  return {{a, b, c, d}};
}
__global__ void noise_counted(unsigned* out, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n / 4) return;
  const Four x = counted(i);
  reinterpret_cast<uint4*>(out)[i] = {x.v[0], x.v[1], x.v[2], x.v[3]};
}
__global__ void drop_some(const float* in, float* out, unsigned n) {
  const unsigned i = thread_number();
  if (i < n) out[i] = mixed(i ^ 0xabcdu) < 0x40000000u ? 0.f : in[i] * (4.f / 3);
}

inline unsigned drawn(unsigned thread, unsigned draw) {
  unsigned state = mixed(thread) | 1, value = 0;
  for (unsigned k = 0; k <= draw; ++k) value = next_of(state);
  return value;
}
template <class Launch, class Wanted>
std::function<Problem(unsigned)> noise_problem(Launch launch, Wanted wanted) {
  return [=](unsigned n) {
    auto out = room<unsigned>(n);
    return Problem{[=] { launch(out->data(), n); },
                   [=] {
                     return agrees(
                         out, [=](unsigned i) { return wanted(i, n); }, 0);
                   }};
  };
}
inline Problem drop_problem(unsigned n) {
  auto in = uniform(n, 1), out = room<float>(n);
  return {[=] { drop_some<<<blocks_of(n, 512), 512>>>(in->data(), out->data(), n); },
          [=] {
            return agrees(out, [=](unsigned i) {
              return mixed(i ^ 0xabcdu) < 0x40000000u ? 0.f : in->host[i] * (4.f / 3);
            });
          }};
}

inline void add_noise(Set& set) {
  const std::vector<unsigned> sizes = {1 << 16, 1 << 20, 1 << 24};
  set.add("noise_side_by_side", sizes,
          noise_problem(
              [](unsigned* out, unsigned n) {
                noise_sequences<true><<<blocks_of(n / kDraws, 128), 128>>>(out, n);
              },
              [](unsigned i, unsigned n) { return drawn(i % (n / kDraws), i / (n / kDraws)); }));
  set.add("noise_by_itself", sizes,
          noise_problem(
              [](unsigned* out, unsigned n) {
                noise_sequences<false><<<blocks_of(n / kDraws, 128), 128>>>(out, n);
              },
              [](unsigned i, unsigned) { return drawn(i / kDraws, i % kDraws); }));
  set.add("noise_counted", sizes,
          noise_problem([](unsigned* out,
                           unsigned n) { noise_counted<<<blocks_of(n / 4), kBlock>>>(out, n); },
                        [](unsigned i, unsigned) { return counted(i / 4).v[i % 4]; }));
  set.add("drop_some", sizes, drop_problem);
}

}  // namespace timing_set
