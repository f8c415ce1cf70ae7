// SPDX-License-Identifier: MIT
// AES-128 in counter mode: each 16-byte block is xored with its encrypted counter. One thread a
// block with four tables in global memory; with one table in constant memory, where the lanes of a
// warp want different words; with the four tables in shared memory and a grid that stays; and four
// threads a block that swap columns with shuffles and mix them by arithmetic, with a byte table.
#pragma once

#include <array>

#include "../set.cuh"

namespace timing_set {

constexpr unsigned kAesRounds = 10;
struct AesKeys {
  unsigned words[4 * (kAesRounds + 1)];
};
static __constant__ unsigned kAesTable[256];

__host__ __device__ inline unsigned aes_turned(unsigned x, unsigned bits) {
  return x << bits | x >> (32 - bits);
}
__host__ __device__ inline uint4 aes_counter(unsigned block) {
  return make_uint4(0x243f6a88u, 0x85a308d3u, 0x13198a2eu, block);
}

// All rounds of one block. table(row, byte) is what that byte gives to its new column.
template <class Table>
__device__ uint4 aes_encrypted(uint4 s, const unsigned* keys, Table table) {
  s.x ^= keys[0], s.y ^= keys[1], s.z ^= keys[2], s.w ^= keys[3];
  const auto mixed_column = [&](unsigned a, unsigned b, unsigned c, unsigned d, unsigned key) {
    return table(0, a & 255) ^ table(1, b >> 8 & 255) ^ table(2, c >> 16 & 255) ^
           table(3, d >> 24) ^ key;
  };
  // The second byte of a word of the first table is the S-box without a factor.
  const auto plain = [&](unsigned byte) { return table(0, byte & 255) >> 8 & 255; };
  const auto last_column = [&](unsigned a, unsigned b, unsigned c, unsigned d, unsigned key) {
    return (plain(a) | plain(b >> 8) << 8 | plain(c >> 16) << 16 | plain(d >> 24) << 24) ^ key;
  };
  for (unsigned round = 1; round < kAesRounds; ++round) {
    const unsigned* key = keys + 4 * round;
    s = make_uint4(
        mixed_column(s.x, s.y, s.z, s.w, key[0]), mixed_column(s.y, s.z, s.w, s.x, key[1]),
        mixed_column(s.z, s.w, s.x, s.y, key[2]), mixed_column(s.w, s.x, s.y, s.z, key[3]));
  }
  const unsigned* key = keys + 4 * kAesRounds;
  return make_uint4(
      last_column(s.x, s.y, s.z, s.w, key[0]), last_column(s.y, s.z, s.w, s.x, key[1]),
      last_column(s.z, s.w, s.x, s.y, key[2]), last_column(s.w, s.x, s.y, s.z, key[3]));
}

__device__ inline uint4 aes_xored(uint4 a, uint4 b) {
  return make_uint4(a.x ^ b.x, a.y ^ b.y, a.z ^ b.z, a.w ^ b.w);
}

__global__ void aes_global(const uint4* __restrict__ in, uint4* __restrict__ out,
                           const unsigned* __restrict__ tables, const unsigned* __restrict__ keys,
                           unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  const uint4 pad = aes_encrypted(aes_counter(i), keys, [=](unsigned row, unsigned byte) {
    return __ldg(tables + 256 * row + byte);
  });
  out[i] = aes_xored(in[i], pad);
}

__global__ void aes_constant(const uint4* in, uint4* out, AesKeys keys, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  const uint4 pad = aes_encrypted(aes_counter(i), keys.words, [](unsigned row, unsigned byte) {
    const unsigned word = kAesTable[byte];
    return row ? aes_turned(word, 8 * row) : word;
  });
  out[i] = aes_xored(in[i], pad);
}

__global__ void __launch_bounds__(512)
    aes_shared(const uint4* __restrict__ in, uint4* __restrict__ out,
               const unsigned* __restrict__ tables, const unsigned* __restrict__ keys, unsigned n) {
  __shared__ unsigned table[4 * 256];
  __shared__ unsigned key[4 * (kAesRounds + 1)];
  for (unsigned i = threadIdx.x; i < 4 * 256; i += blockDim.x) table[i] = tables[i];
  if (threadIdx.x < 4 * (kAesRounds + 1)) key[threadIdx.x] = keys[threadIdx.x];
  __syncthreads();
  for (unsigned i = thread_number(); i < n; i += gridDim.x * blockDim.x) {
    const uint4 text = in[i];
    const uint4 pad = aes_encrypted(
        aes_counter(i), key, [&](unsigned row, unsigned byte) { return table[256 * row + byte]; });
    out[i] = aes_xored(text, pad);
  }
}

__global__ void aes_columns(const unsigned* in, unsigned* out, const unsigned char* boxes,
                            AesKeys keys, unsigned words) {
  __shared__ unsigned char box[256];
  if (threadIdx.x < 256) box[threadIdx.x] = boxes[threadIdx.x];
  __syncthreads();
  const unsigned i = thread_number(), column = i % 4;
  const uint4 counter = aes_counter(i / 4);
  unsigned s = column == 0   ? counter.x
               : column == 1 ? counter.y
               : column == 2 ? counter.z
                             : counter.w;
  s ^= keys.words[column];
  for (unsigned round = 1; round <= kAesRounds; ++round) {
    const unsigned b = __shfl_sync(kAll, s, column + 1, 4);
    const unsigned c = __shfl_sync(kAll, s, column + 2, 4);
    const unsigned d = __shfl_sync(kAll, s, column + 3, 4);
    s = box[s & 255] | box[b >> 8 & 255] << 8 | box[c >> 16 & 255] << 16 |
        static_cast<unsigned>(box[d >> 24]) << 24;
    if (round < kAesRounds) {
      const unsigned twice = (s & 0x7f7f7f7fu) << 1 ^ (s >> 7 & 0x01010101u) * 0x1bu;
      s = twice ^ aes_turned(twice ^ s, 24) ^ aes_turned(s, 16) ^ aes_turned(s, 8);
    }
    s ^= keys.words[4 * round + column];
  }
  if (i < words) out[i] = in[i] ^ s;
}

inline std::array<unsigned char, 256> aes_boxes() {
  std::array<unsigned char, 256> boxes{};
  unsigned p = 1, q = 1;  // p runs through the powers of 3, q is its inverse
  const auto turned = [](unsigned x, unsigned by) { return (x << by | x >> (8 - by)) & 255; };
  do {
    p = (p ^ p << 1 ^ (p & 128 ? 0x1b : 0)) & 255;
    q ^= q << 1;
    q ^= q << 2;
    q = (q ^ q << 4) & 255;
    if (q & 128) q ^= 9;
    boxes[p] = static_cast<unsigned char>(q ^ turned(q, 1) ^ turned(q, 2) ^ turned(q, 3) ^
                                          turned(q, 4) ^ 0x63);
  } while (p != 1);
  boxes[0] = 0x63;
  return boxes;
}
inline unsigned aes_doubled(unsigned x) { return (x << 1 ^ (x & 128 ? 0x1b : 0)) & 255; }

inline std::vector<unsigned> aes_tables() {
  const auto boxes = aes_boxes();
  std::vector<unsigned> tables(4 * 256);
  for (unsigned i = 0; i < 256; ++i) {
    const unsigned s = boxes[i], t = aes_doubled(s);
    tables[i] = t | s << 8 | s << 16 | (s ^ t) << 24;
    for (unsigned row = 1; row < 4; ++row) tables[256 * row + i] = aes_turned(tables[i], 8 * row);
  }
  return tables;
}

inline AesKeys aes_keys() {
  const auto boxes = aes_boxes();
  AesKeys keys;
  unsigned constant = 1;
  for (unsigned i = 0; i < 4; ++i) keys.words[i] = mixed(i + 77);
  for (unsigned i = 4; i < 44; ++i) {
    unsigned word = keys.words[i - 1];
    if (i % 4 == 0) {
      word = aes_turned(word, 24);
      word = boxes[word & 255] | boxes[word >> 8 & 255] << 8 | boxes[word >> 16 & 255] << 16 |
             static_cast<unsigned>(boxes[word >> 24]) << 24;
      word ^= constant;
      constant = aes_doubled(constant);
    }
    keys.words[i] = keys.words[i - 4] ^ word;
  }
  return keys;
}

// Byte by byte, as the standard has it.
inline std::array<unsigned, 4> aes_wanted(unsigned block) {
  static const auto boxes = aes_boxes();
  static const AesKeys keys = aes_keys();
  const uint4 counter = aes_counter(block);
  const unsigned words[4] = {counter.x, counter.y, counter.z, counter.w};
  unsigned s[16], t[16];
  const auto key = [&](unsigned round, unsigned i) {
    return keys.words[4 * round + i / 4] >> 8 * (i % 4) & 255;
  };
  for (unsigned i = 0; i < 16; ++i) s[i] = (words[i / 4] >> 8 * (i % 4) & 255) ^ key(0, i);
  for (unsigned round = 1; round <= kAesRounds; ++round) {
    for (unsigned i = 0; i < 16; ++i) t[i] = boxes[s[(i + 4 * (i % 4)) % 16]];
    for (unsigned i = 0; i < 16; ++i) {
      const unsigned* c = t + i / 4 * 4;
      const unsigned a = c[i % 4], b = c[(i + 1) % 4];
      s[i] = round == kAesRounds ? t[i] : aes_doubled(a ^ b) ^ b ^ c[(i + 2) % 4] ^ c[(i + 3) % 4];
      s[i] ^= key(round, i);
    }
  }
  std::array<unsigned, 4> out{};
  for (unsigned i = 0; i < 16; ++i) out[i / 4] |= s[i] << 8 * (i % 4);
  return out;
}

using AesStart = std::function<void(unsigned*, unsigned*)>;
inline Problem aes_problem(unsigned n, const AesStart& start) {
  auto in = array<unsigned>(std::size_t{4} * n, [](unsigned i) { return mixed(i); });
  auto out = room<unsigned>(std::size_t{4} * n);
  return Problem{[=] { start(in->data(), out->data()); },
                 [=] {
                   return agrees(
                       out, [&](unsigned i) { return in->host[i] ^ aes_wanted(i / 4)[i % 4]; }, 0);
                 }};
}
inline const uint4* aes_fours(const unsigned* p) { return reinterpret_cast<const uint4*>(p); }
inline uint4* aes_fours(unsigned* p) { return reinterpret_cast<uint4*>(p); }

inline void add_aes(Set& set) {
  const std::vector<unsigned> sizes = {3000, 130000, 1000000};  // blocks of 16 bytes
  const auto keys_array = [] {
    const AesKeys keys = aes_keys();
    return array(std::vector<unsigned>(keys.words, keys.words + 44));
  };
  set.add("aes_global", sizes, [=](unsigned n) {
    auto tables = array(aes_tables()), keys = keys_array();
    return aes_problem(n, [=](unsigned* in, unsigned* out) {
      aes_global<<<blocks_of(n), kBlock>>>(aes_fours(in), aes_fours(out), tables->data(),
                                           keys->data(), n);
    });
  });
  set.add("aes_constant", sizes, [](unsigned n) {
    COURSE_CHECK(cudaMemcpyToSymbol(kAesTable, aes_tables().data(), sizeof kAesTable));
    return aes_problem(n, [=](unsigned* in, unsigned* out) {
      aes_constant<<<blocks_of(n, 128), 128>>>(aes_fours(in), aes_fours(out), aes_keys(), n);
    });
  });
  set.add("aes_shared", sizes, [=](unsigned n) {
    auto tables = array(aes_tables()), keys = keys_array();
    return aes_problem(n, [=](unsigned* in, unsigned* out) {
      aes_shared<<<std::min(blocks_of(n, 512), 264u), 512>>>(aes_fours(in), aes_fours(out),
                                                             tables->data(), keys->data(), n);
    });
  });
  set.add("aes_columns", sizes, [](unsigned n) {
    const auto bytes = aes_boxes();
    auto boxes = array(std::vector<unsigned char>(bytes.begin(), bytes.end()));
    const AesKeys keys = aes_keys();
    return aes_problem(n, [=](unsigned* in, unsigned* out) {
      aes_columns<<<blocks_of(4 * n, 256), 256>>>(in, out, boxes->data(), keys, 4 * n);
    });
  });
}

}  // namespace timing_set
