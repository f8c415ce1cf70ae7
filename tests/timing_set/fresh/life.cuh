// SPDX-License-Identifier: MIT
// A generation of Conway's cells on a torus: a byte for each, from memory or from a tile, and 32 of them in a word.
#pragma once
#include "../set.cuh"

namespace timing_set {

__global__ void life_bytes(const unsigned char* in, unsigned char* out, unsigned side) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x,
                 y = blockIdx.y * blockDim.y + threadIdx.y;
  const unsigned mask = side - 1;
  unsigned around = 0;
  for (unsigned dy = 0; dy < 3; ++dy)
    for (unsigned dx = 0; dx < 3; ++dx)
      around += in[((y + dy - 1) & mask) * side + ((x + dx - 1) & mask)];
  const unsigned own = in[y * side + x];
  out[y * side + x] = around == 3 || (own && around == 4);
}
__global__ void life_tile(const unsigned char* in, unsigned char* out, unsigned side) {
  __shared__ unsigned char tile[10][36];
  const unsigned left = blockIdx.x * 32, top = blockIdx.y * 8, mask = side - 1;
  for (unsigned k = threadIdx.y * 32 + threadIdx.x; k < 340; k += 256)
    tile[k / 34][k % 34] = in[((top + k / 34 - 1) & mask) * side + ((left + k % 34 - 1) & mask)];
  __syncthreads();
  unsigned around = 0;
#pragma unroll
  for (unsigned dy = 0; dy < 3; ++dy)
#pragma unroll
    for (unsigned dx = 0; dx < 3; ++dx) around += tile[threadIdx.y + dy][threadIdx.x + dx];
  const unsigned own = tile[threadIdx.y + 1][threadIdx.x + 1];
  out[(top + threadIdx.y) * side + left + threadIdx.x] = around == 3 || (own && around == 4);
}
// Adds are made bit by bit, for 32 cells at a time.
__global__ void life_words(const unsigned* in, unsigned* out, unsigned side) {
  const unsigned words = side / 32, i = thread_number(), x = i % words, y = i / words;
  if (y >= side) return;
  unsigned one = 0, two = 0, four = 0, eight = 0, own = 0;
#pragma unroll
  for (unsigned dy = 0; dy < 3; ++dy) {
    const unsigned* const row = in + ((y + dy - 1) & (side - 1)) * words;
    const unsigned here = row[x], before = row[(x + words - 1) % words],
                   after = row[(x + 1) % words];
    const unsigned cells[3] = {here << 1 | before >> 31, here, here >> 1 | after << 31};
    if (dy == 1) own = here;
#pragma unroll
    for (unsigned k = 0; k < 3; ++k) {
      const unsigned to_two = one & cells[k], to_four = two & to_two;
      one ^= cells[k];
      two ^= to_two;
      eight |= four & to_four;
      four ^= to_four;
    }
  }
  out[i] = ~eight & ((one & two & ~four) | (own & ~one & ~two & four));
}

inline bool alive(unsigned i) { return mixed(i) % 3 == 0; }
inline bool alive_next(unsigned i, unsigned side) {
  unsigned around = 0;
  for (unsigned dy = 0; dy < 3; ++dy)
    for (unsigned dx = 0; dx < 3; ++dx)
      around += alive((i / side + dy + side - 1) % side * side + (i % side + dx + side - 1) % side);
  return around == 3 || (alive(i) && around == 4);
}
template <class Launch>
std::function<Problem(unsigned)> life_problem(Launch launch) {
  return [=](unsigned side) {
    auto in = array<unsigned char>(side * side, alive), out = room<unsigned char>(side * side);
    return Problem{[=] { launch(in->data(), out->data(), side); },
                   [=] {
                     return agrees(
                         out, [=](unsigned i) { return alive_next(i, side); }, 0);
                   }};
  };
}
inline Problem life_words_problem(unsigned side) {
  const unsigned n = side * side / 32;
  auto in = array<unsigned>(n, [](unsigned i) {
    unsigned word = 0;
    for (unsigned k = 0; k < 32; ++k) word |= static_cast<unsigned>(alive(i * 32 + k)) << k;
    return word;
  });
  auto out = room<unsigned>(n);
  return {[=] { life_words<<<blocks_of(n, 128), 128>>>(in->data(), out->data(), side); },
          [=] {
            return agrees(
                out,
                [=](unsigned i) {
                  unsigned word = 0;
                  for (unsigned k = 0; k < 32; ++k)
                    word |= static_cast<unsigned>(alive_next(i * 32 + k, side)) << k;
                  return word;
                },
                0);
          }};
}

inline void add_life(Set& set) {
  const std::vector<unsigned> sizes = {256, 1024, 4096};
  using In = const unsigned char*;
  set.add("life_bytes", sizes, life_problem([](In in, unsigned char* out, unsigned side) {
            life_bytes<<<dim3(side / 32, side / 8), dim3(32, 8)>>>(in, out, side);
          }));
  set.add("life_tile", sizes, life_problem([](In in, unsigned char* out, unsigned side) {
            life_tile<<<dim3(side / 32, side / 8), dim3(32, 8)>>>(in, out, side);
          }));
  set.add("life_words", sizes, life_words_problem);
}

}  // namespace timing_set
