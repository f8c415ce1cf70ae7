// SPDX-License-Identifier: MIT
// A Bloom filter of visitors, three bits for each: filled by atomics; asked with one bit after the other until one is
// missing; kept as whole bytes and asked by records with a division; and with all bits of a visitor in 32 bytes.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kBloomProbes = 3, kBloomBytesEach = 48;  // bytes of filter for each key asked
struct BloomVisit {
  unsigned page;
  unsigned key;
  float seconds;
};

__host__ __device__ inline unsigned bloom_first(unsigned key) { return mixed(key); }
__host__ __device__ inline unsigned bloom_step(unsigned key) {
  return mixed(key ^ 0x9e3779b9u) | 1;
}
__host__ __device__ inline unsigned bloom_scaled(unsigned hash, unsigned positions) {
  return static_cast<unsigned>(static_cast<unsigned long long>(hash) * positions >> 32);
}

__global__ void bloom_insert(const unsigned* keys, unsigned n, unsigned* filter,
                             unsigned positions) {
  const unsigned i = thread_number();
  if (i >= n) return;
  unsigned hash = bloom_first(keys[i]);
  const unsigned step = bloom_step(keys[i]);
  for (unsigned k = 0; k < kBloomProbes; ++k, hash += step) {
    const unsigned at = bloom_scaled(hash, positions);
    atomicOr(&filter[at / 32], 1u << (at % 32));
  }
}

__global__ void bloom_query(const unsigned* __restrict__ keys, unsigned n,
                            const unsigned* __restrict__ filter, unsigned positions,
                            unsigned char* __restrict__ found) {
  for (unsigned i = thread_number(); i < n; i += gridDim.x * blockDim.x) {
    const unsigned key = keys[i];
    unsigned hash = bloom_first(key), k = 0;
    const unsigned step = bloom_step(key);
    for (; k < kBloomProbes; ++k) {
      const unsigned at = bloom_scaled(hash, positions);
      if ((filter[at / 32] >> (at % 32) & 1) == 0) break;
      hash += step;
    }
    found[i] = k == kBloomProbes;
  }
}

__global__ void bloom_bytes(const BloomVisit* visits, int n, const char* filter, unsigned positions,
                            int* found) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) {
    int all = 1;
    for (unsigned k = 0; k < kBloomProbes; k++) {
      unsigned hash = bloom_first(visits[i].key) + k * bloom_step(visits[i].key);
      all = all * filter[hash % positions];
    }
    found[i] = all;
  }
}

// One bit in each of the eight words of a block.
__host__ __device__ inline unsigned bloom_bit(unsigned hash, unsigned word) {
  return 1u << ((hash * (2 * word + 0x5bd1e995u)) >> 27);
}
__device__ inline bool bloom_has(const uint4* filter, unsigned blocks, unsigned key) {
  const unsigned block = bloom_scaled(bloom_first(key), blocks), hash = bloom_step(key);
  const uint4 a = filter[2 * block], b = filter[2 * block + 1];
  const unsigned words[8] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
  bool all = true;
#pragma unroll
  for (unsigned w = 0; w < 8; ++w) all &= (words[w] & bloom_bit(hash, w)) != 0;
  return all;
}
__global__ void __launch_bounds__(128)
    bloom_blocked(const uint4* keys, unsigned fours, const uint4* filter, unsigned blocks,
                  uchar4* found) {
  const unsigned i = thread_number();
  if (i >= fours) return;
  const uint4 key = keys[i];
  uchar4 result;
  result.x = bloom_has(filter, blocks, key.x);
  result.y = bloom_has(filter, blocks, key.y);
  result.z = bloom_has(filter, blocks, key.z);
  result.w = bloom_has(filter, blocks, key.w);
  found[i] = result;
}

inline unsigned bloom_member(unsigned i) { return mixed(2 * i + 1); }
// About half of those who ask are members.
inline unsigned bloom_asked(unsigned i) {
  return mixed(i + 77) & 1 ? bloom_member(i) : mixed(2 * i);
}
// Marks the places of every member, which each(key, mark) tells.
template <class T, class Each>
Shared<T> bloom_filter(unsigned n, Each each, unsigned bytes_each = kBloomBytesEach) {
  std::vector<T> filter(n * bytes_each / sizeof(T));
  for (unsigned i = 0; i < n; ++i) each(bloom_member(i), filter);
  return array(std::move(filter));
}
inline void bloom_mark(unsigned key, std::vector<unsigned>& filter) {
  for (unsigned k = 0; k < kBloomProbes; ++k) {
    const unsigned at = bloom_scaled(bloom_first(key) + k * bloom_step(key),
                                     static_cast<unsigned>(filter.size() * 32));
    filter[at / 32] |= 1u << at % 32;
  }
}
inline bool bloom_marked(unsigned key, const std::vector<unsigned>& filter) {
  for (unsigned k = 0; k < kBloomProbes; ++k) {
    const unsigned at = bloom_scaled(bloom_first(key) + k * bloom_step(key),
                                     static_cast<unsigned>(filter.size() * 32));
    if (!(filter[at / 32] & 1u << at % 32)) return false;
  }
  return true;
}

inline Problem bloom_insert_problem(unsigned n) {
  auto keys = array<unsigned>(n, [](unsigned i) { return bloom_member(i); });
  auto wanted = bloom_filter<unsigned>(n, bloom_mark, 160);  // to grow into
  auto filter = room<unsigned>(wanted->size());
  const unsigned positions = wanted->size() * 32;
  return {
      [=] { bloom_insert<<<blocks_of(n), kBlock>>>(keys->data(), n, filter->data(), positions); },
      [=] {
        return agrees(
            filter, [=](unsigned i) { return wanted->host[i]; }, 0);
      },
      [=] { clear(filter); }};
}
inline Problem bloom_query_problem(unsigned n) {
  auto keys = array<unsigned>(n, bloom_asked);
  auto filter = bloom_filter<unsigned>(n, bloom_mark);
  auto found = room<unsigned char>(n);
  const unsigned positions = filter->size() * 32, blocks = std::min(1056u, blocks_of(n, 192));
  return {[=] {
            bloom_query<<<blocks, 192>>>(keys->data(), n, filter->data(), positions, found->data());
          },
          [=] {
            return agrees(found,
                          [=](unsigned i) { return bloom_marked(keys->host[i], filter->host); });
          }};
}
inline Problem bloom_bytes_problem(unsigned n) {
  auto visits = array<BloomVisit>(n, [](unsigned i) {
    return BloomVisit{i % 100, bloom_asked(i), i / 8.0f};
  });
  const unsigned positions = n * kBloomBytesEach;
  const auto at = [=](unsigned key, unsigned k) {
    return (bloom_first(key) + k * bloom_step(key)) % positions;
  };
  auto filter = bloom_filter<char>(n, [=](unsigned key, std::vector<char>& bytes) {
    for (unsigned k = 0; k < kBloomProbes; ++k) bytes[at(key, k)] = 1;
  });
  auto found = room<int>(n);
  return {[=] {
            bloom_bytes<<<blocks_of(n, 512), 512>>>(visits->data(), static_cast<int>(n),
                                                    filter->data(), positions, found->data());
          },
          [=] {
            return agrees(found, [=](unsigned i) {
              const unsigned key = visits->host[i].key;
              return filter->host[at(key, 0)] && filter->host[at(key, 1)] &&
                     filter->host[at(key, 2)];
            });
          }};
}
inline Problem bloom_blocked_problem(unsigned n) {
  auto keys = array<unsigned>(n, bloom_asked);
  const unsigned blocks = n * kBloomBytesEach / 32;
  auto filter = bloom_filter<unsigned>(n, [=](unsigned key, std::vector<unsigned>& words) {
    for (unsigned w = 0; w < 8; ++w)
      words[8 * bloom_scaled(bloom_first(key), blocks) + w] |= bloom_bit(bloom_step(key), w);
  });
  auto found = room<unsigned char>(n);
  return {[=] {
            bloom_blocked<<<blocks_of(n / 4, 128), 128>>>(
                reinterpret_cast<const uint4*>(keys->data()), n / 4,
                reinterpret_cast<const uint4*>(filter->data()), blocks,
                reinterpret_cast<uchar4*>(found->data()));
          },
          [=] {
            return agrees(found, [=](unsigned i) {
              const unsigned key = keys->host[i];
              for (unsigned w = 0; w < 8; ++w)
                if (!(filter->host[8 * bloom_scaled(bloom_first(key), blocks) + w] &
                      bloom_bit(bloom_step(key), w)))
                  return false;
              return true;
            });
          }};
}

inline void add_bloom(Set& set) {
  const std::vector<unsigned> sizes = {6000, 250000, 1500000};
  set.add("bloom_insert", {6000, 80000, 400000}, bloom_insert_problem);
  set.add("bloom_query", sizes, bloom_query_problem);
  set.add("bloom_bytes", sizes, bloom_bytes_problem);
  set.add("bloom_blocked", sizes, bloom_blocked_problem);
}

}  // namespace timing_set
