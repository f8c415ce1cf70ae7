// SPDX-License-Identifier: MIT
// The same table with a tile of lanes per operation: each lane reads one slot of the bucket, and the
// tile decides by a vote. Lanes of one warp that bring the same key can be made one beforehand.
#pragma once

#include <cooperative_groups.h>

#include <cstddef>

#include "lessons/11_hash_table/probing.cuh"
#include "lessons/11_hash_table/slots.cuh"

namespace lesson11 {

template <std::uint32_t kTile, class ProbeOrder = NextBucket, class Orders = TableOrders>
class TileTable {
 public:
  using Probe = ProbeOrder;
  using Tile = cooperative_groups::thread_block_tile<kTile>;
  static constexpr std::uint32_t kLanes = kTile;
  using Frozen = TileTable<kTile, ProbeOrder, FrozenOrders>;

  static std::size_t slots(std::uint32_t capacity) {
    return std::size_t{buckets_for(capacity)} * kTile;
  }
  static std::size_t bytes(std::uint32_t capacity) { return slots(capacity) * sizeof(Word); }
  __host__ __device__ TileTable(void* memory, std::uint32_t capacity)
      : slots_(static_cast<Word*>(memory)), capacity_(capacity), buckets_(buckets_for(capacity)) {}
  __device__ void reset(std::uint32_t i, std::uint32_t n) {
    for (std::size_t s = i; s < std::size_t{buckets_} * kTile; s += n)
      slots_[s] = s < capacity_ ? kEmpty : kWall;
  }
  __host__ __device__ Frozen frozen() const { return Frozen(slots_, capacity_); }

  // All lanes of the tile call these together, with the same key.
  __device__ Outcome insert(const Tile& tile, std::uint32_t key, std::uint32_t value) {
    return put<false>(tile, key, value, look(tile, probe(key)));
  }
  __device__ Outcome insert_or_add(const Tile& tile, std::uint32_t key, std::uint32_t value) {
    return put<true>(tile, key, value, look(tile, probe(key)));
  }
  __device__ bool find(const Tile& tile, std::uint32_t key, std::uint32_t& value) const {
    return find(tile, key, value, look(tile, probe(key)));
  }

  __device__ Probe probe(std::uint32_t key) const { return Probe(key, buckets_); }
  // This lane's word of the bucket.
  __device__ Word look(const Tile& tile, const Probe& at) const {
    return WordRef<Orders>(*slot(tile, at)).load(Orders::kRead);
  }
  template <bool kAdd>
  __device__ Outcome put(const Tile& tile, std::uint32_t key, std::uint32_t value, Word word) {
    if (refused(key)) return Outcome::Refused;
    Probe at = probe(key);
    for (std::uint32_t left = Probe::steps(buckets_);;) {
      // The first lane at which the search ends acts. If another key was faster there, that lane knows
      // it now, and all vote again.
      while (const unsigned able = tile.ballot(key_of(word) == key || word == kEmpty)) {
        const unsigned leader = __ffs(able) - 1;
        Outcome outcome = Outcome::Full;  // "not yet"
        if (tile.thread_rank() == leader) outcome = act<kAdd>(slot(tile, at), key, value, word);
        outcome = static_cast<Outcome>(tile.shfl(static_cast<std::uint32_t>(outcome), leader));
        if (outcome != Outcome::Full) return outcome;
      }
      if (--left == 0) return Outcome::Full;
      at.advance(buckets_);
      word = look(tile, at);
    }
  }
  __device__ bool find(const Tile& tile, std::uint32_t key, std::uint32_t& value, Word word) const {
    if (refused(key)) return false;
    Probe at = probe(key);
    for (std::uint32_t left = Probe::steps(buckets_);;) {
      const unsigned able = tile.ballot(key_of(word) == key || word == kEmpty);
      if (able != 0) {
        const Word seen = tile.shfl(word, __ffs(able) - 1);
        if (key_of(seen) != key) return false;
        value = value_of(seen);
        return true;
      }
      if (--left == 0) return false;
      at.advance(buckets_);
      word = look(tile, at);
    }
  }

 private:
  // One lane, at a slot in which `word` was: the key's, or empty.
  template <bool kAdd>
  __device__ static Outcome act(Word* at, std::uint32_t key, std::uint32_t value, Word& word) {
    if (word == kEmpty && WordRef<Orders>(*at).compare_exchange_strong(
                              word, pack(key, value), Orders::kWrite, Orders::kRead))
      return Outcome::Inserted;
    if (key_of(word) != key) return Outcome::Full;
    if (kAdd) WordRef<Orders>(*at).fetch_add(Word{value} << 32, Orders::kWrite);
    return Outcome::Present;
  }
  __device__ Word* slot(const Tile& tile, const Probe& at) const {
    return slots_ + (std::size_t{at.bucket} * kTile + tile.thread_rank());
  }
  __host__ __device__ static std::uint32_t buckets_for(std::uint32_t capacity) {
    return capacity / kTile + (capacity % kTile != 0);
  }
  Word* slots_;
  std::uint32_t capacity_, buckets_;
};

// Lanes with equal keys become one: the first of them gets the sum of their values. True for that lane.
// `lanes` call this together; a lane without a key passes kNoKey and gets false.
__device__ inline bool add_up_equal_keys(unsigned lanes, std::uint32_t key, std::uint32_t& value) {
  const unsigned equal = __match_any_sync(lanes, key);
  value = __reduce_add_sync(equal, value);
  const unsigned lane = threadIdx.x % 32;
  return key != kNoKey && lane == static_cast<unsigned>(__ffs(equal)) - 1;
}

}  // namespace lesson11
