// SPDX-License-Identifier: MIT
// CRC-32 of records of 64 bytes, a thread each: bit by bit, by a table in constant or in shared memory, and by four tables
// that take a word at once.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kRecord = 16;  // words
__host__ __device__ constexpr unsigned crc_of_byte(unsigned crc) {
  for (int k = 0; k < 8; ++k) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
  return crc;
}
__constant__ unsigned crc_constant[256];
__global__ void checksum_bits(const unsigned* in, const unsigned*, unsigned* out, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  unsigned crc = ~0u;
  for (unsigned k = 0; k < kRecord; ++k) {
    crc ^= in[i * kRecord + k];
    for (int bit = 0; bit < 32; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
  }
  out[i] = ~crc;
}
template <bool InShared>
__global__ void checksum_table(const unsigned* in, const unsigned* table, unsigned* out,
                               unsigned n) {
  __shared__ unsigned kept[256];
  if (InShared) {
    for (unsigned k = threadIdx.x; k < 256; k += blockDim.x) kept[k] = table[k];
    __syncthreads();
  }
  const unsigned* const by = InShared ? kept : crc_constant;
  const unsigned i = thread_number();
  if (i >= n) return;
  unsigned crc = ~0u;
  for (unsigned k = 0; k < kRecord; ++k) {
    crc ^= in[i * kRecord + k];
    for (int byte = 0; byte < 4; ++byte) crc = crc >> 8 ^ by[crc & 255];
  }
  out[i] = ~crc;
}
__global__ void checksum_four_tables(const uint4* in, const unsigned* table, unsigned* out,
                                     unsigned n) {
  __shared__ unsigned kept[4][256];
  for (unsigned k = threadIdx.x; k < 1024; k += blockDim.x) kept[k / 256][k % 256] = table[k];
  __syncthreads();
  const auto after = [&](unsigned x) {
    return kept[3][x & 255] ^ kept[2][x >> 8 & 255] ^ kept[1][x >> 16 & 255] ^ kept[0][x >> 24];
  };
  for (unsigned i = thread_number(); i < n; i += gridDim.x * blockDim.x) {
    unsigned crc = ~0u;
    for (unsigned k = 0; k < kRecord / 4; ++k) {
      const uint4 x = in[i * kRecord / 4 + k];
      crc = after(after(after(after(crc ^ x.x) ^ x.y) ^ x.z) ^ x.w);
    }
    out[i] = ~crc;
  }
}

template <class Launch>
std::function<Problem(unsigned)> checksum_problem(Launch launch) {
  return [=](unsigned n) {
    auto in = array<unsigned>(n * kRecord, [](unsigned i) { return mixed(i); });
    auto table = array<unsigned>(1024, [](unsigned i) {
      unsigned crc = i % 256;
      for (unsigned k = 0; k <= i / 256; ++k) crc = crc_of_byte(crc);
      return crc;
    });
    auto out = room<unsigned>(n);
    COURSE_CHECK(cudaMemcpyToSymbol(crc_constant, table->host.data(), sizeof(crc_constant)));
    return Problem{
        [=] { launch(in->data(), table->data(), out->data(), n); },
        [=] {
          return agrees(
              out,
              [=](unsigned i) {
                unsigned crc = ~0u;
                for (unsigned k = 0; k < kRecord * 4; ++k)
                  crc = crc_of_byte(crc ^ (in->host[i * kRecord + k / 4] >> k % 4 * 8 & 255));
                return ~crc;
              },
              0);
        }};
  };
}

inline void add_checksum(Set& set) {
  const std::vector<unsigned> sizes = {1000, 10000, 250000};
  using In = const unsigned*;
  set.add("checksum_bits", sizes, checksum_problem([](In in, In table, unsigned* out, unsigned n) {
            checksum_bits<<<blocks_of(n, 128), 128>>>(in, table, out, n);
          }));
  set.add("checksum_constant", sizes,
          checksum_problem([](In in, In table, unsigned* out, unsigned n) {
            checksum_table<false><<<blocks_of(n, 128), 128>>>(in, table, out, n);
          }));
  set.add("checksum_shared", sizes,
          checksum_problem([](In in, In table, unsigned* out, unsigned n) {
            checksum_table<true><<<blocks_of(n, 128), 128>>>(in, table, out, n);
          }));
  set.add("checksum_four_tables", sizes,
          checksum_problem([](In in, In table, unsigned* out, unsigned n) {
            checksum_four_tables<<<std::min(blocks_of(n, 64), 528u), 64>>>(
                reinterpret_cast<const uint4*>(in), table, out, n);
          }));
}

}  // namespace timing_set
