// SPDX-License-Identifier: MIT
// In which order a search goes through the buckets of a table. A key may lie in the first bucket of its
// order that had room when it came; a search ends at the key or at a bucket with room.
//
//   Probe p(key, buckets);   p.bucket is the first one
//   p.advance(buckets);      the next
//   Probe::steps(buckets)    after so many every bucket has been seen
#pragma once

#include <cstdint>

#include "lessons/11_hash_table/hash.cuh"

namespace lesson11 {

// The bucket that the hash names, then its neighbours. Full buckets grow together: who meets one side of
// such a cluster walks through all of it.
struct NextBucket {
  std::uint32_t bucket;

  __host__ __device__ NextBucket(std::uint32_t key, std::uint32_t buckets)
      : bucket(scaled(mix(key), buckets)) {}
  __host__ __device__ void advance(std::uint32_t buckets) {
    bucket = bucket + 1 < buckets ? bucket + 1 : 0;
  }
  __host__ __device__ static std::uint32_t steps(std::uint32_t buckets) { return buckets; }
};

// A second hash says where to go on: keys that share their first bucket part there. Behind the second
// bucket come its neighbours, so that every bucket is reached whatever their number.
struct SecondChoice {
  std::uint32_t bucket, second;
  bool first = true;

  __host__ __device__ SecondChoice(std::uint32_t key, std::uint32_t buckets)
      : bucket(scaled(mix(key), buckets)), second(scaled(mix_again(key), buckets)) {}
  __host__ __device__ void advance(std::uint32_t buckets) {
    const std::uint32_t neighbour = bucket + 1 < buckets ? bucket + 1 : 0;
    bucket = first ? second : neighbour;
    first = false;
  }
  __host__ __device__ static std::uint32_t steps(std::uint32_t buckets) { return buckets + 1; }
};

// Buckets in pairs: the other one of the pair comes next, then the pair that a second hash names, and its neighbours.
// If a pair is what DRAM moves at a time, the second look costs no second access to it.
struct OtherHalf {
  std::uint32_t bucket, second;
  enum class At : std::uint8_t { First, Other, Beyond } at = At::First;

  __host__ __device__ OtherHalf(std::uint32_t key, std::uint32_t buckets)
      : bucket(scaled(mix(key), buckets)), second(scaled(mix_again(key), buckets) & ~1u) {}
  __host__ __device__ void advance(std::uint32_t buckets) {
    const std::uint32_t other = bucket ^ 1, neighbour = bucket + 1 < buckets ? bucket + 1 : 0;
    if (at == At::First && other < buckets) {  // the last of an odd number has no other half
      bucket = other, at = At::Other;
    } else {
      bucket = at == At::Beyond ? neighbour : second;
      at = At::Beyond;
    }
  }
  __host__ __device__ static std::uint32_t steps(std::uint32_t buckets) { return buckets + 2; }
};

}  // namespace lesson11
