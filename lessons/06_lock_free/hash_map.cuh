// SPDX-License-Identifier: MIT
// A hash map from 32-bit keys to 32-bit values: open addressing, a key and its value in one word of
// 64 bits, changed by one compare-and-swap. HashMap: one thread per key. TileHashMap: a tile of
// lanes per key, one or more slots per lane. Nothing but this file is needed.
//
// The slots form buckets; a key belongs into the first bucket that has room, from the one that its
// hash names on. A slot that has got a key keeps it for ever: keys never move, and an erased key
// stays with a dead value (a tombstone). Only the same key revives it. So a key has one slot at
// most, whoever inserts it at the same time, and all that ever happens to it happens to one word.
// The price: `Full` counts the keys ever inserted, not those alive.
#pragma once

#include <cooperative_groups.h>

#include <cuda/atomic>
#include <cuda/std/array>
#include <cuda/std/cstddef>
#include <cuda/std/cstdint>

namespace lesson06 {

enum class Insert : std::uint32_t {
  Inserted,  // the key was not there, or it was dead
  Present,   // it is there; its value stays as it was
  Full,      // every slot belongs to another key
  Refused,   // kNoKey as key or kDead as value: the map needs them itself
};

struct MapOrders {
  // All threads of the GPU. On the emulator a narrower scope cannot be seen: an atomic is whole in its
  // memory whatever the scope, and with one word for a key and its value nothing can be seen too late.
  static constexpr auto kScope = cuda::thread_scope_device;
  // Key and value are one word, and a key has one slot: there is no second place whose contents
  // must be visible with it, and the writes to one word have one order for all. A map whose values
  // are indices of data elsewhere would publish that data: release here,
  static constexpr auto kWrite = cuda::memory_order_relaxed;
  // and acquire here.
  static constexpr auto kRead = cuda::memory_order_relaxed;
};

// For a kernel in which nobody changes the map: ordinary loads, which need not go to the L2 cache.
struct FrozenMapOrders : MapOrders {
  static constexpr auto kScope = cuda::thread_scope_thread;
};

// What both maps share: the slots, where a key starts, and what may happen to one slot.
template <class Orders, std::uint32_t kBucket>
class MapSlots {
 public:
  static constexpr std::uint32_t kNoKey = 0xffffffff;  // the key of a slot that has none
  static constexpr std::uint32_t kDead = 0xffffffff;   // the value of an erased key

  static std::size_t bytes(std::uint32_t capacity) {
    return std::size_t{buckets_for(capacity)} * kBucket * sizeof(Word);
  }
  // Any capacity from 1 on.
  MapSlots(void* memory, std::uint32_t capacity)
      : slots_(static_cast<Word*>(memory)), capacity_(capacity), buckets_(buckets_for(capacity)) {}

  __device__ void reset(std::uint32_t i, std::uint32_t n) {
    for (std::size_t s = i; s < std::size_t{buckets_} * kBucket; s += n)
      slots_[s] = s < capacity_ ? kEmpty : kWall;
  }
  __host__ __device__ std::uint32_t capacity() const { return capacity_; }

 protected:
  using Word = unsigned long long;  // value, key
  using Ref = cuda::atomic_ref<Word, Orders::kScope>;
  static constexpr Word kEmpty = ~Word{0};
  static constexpr Word kWall = kNoKey;  // fills the last bucket: no key, and not empty either

  __device__ static Word pack(std::uint32_t key, std::uint32_t value) {
    return Word{value} << 32 | key;
  }
  __device__ static std::uint32_t key_of(Word word) { return static_cast<std::uint32_t>(word); }
  __device__ static std::uint32_t value_of(Word word) {
    return static_cast<std::uint32_t>(word >> 32);
  }
  __device__ static bool refused(std::uint32_t key, std::uint32_t value) {
    return key == kNoKey || value == kDead;
  }
  // The bits of the key, thoroughly mixed (the finish of MurmurHash3), then scaled to the buckets
  // by a multiplication: no division, and no power of two needed.
  __device__ std::uint32_t first_bucket(std::uint32_t key) const {
    std::uint32_t h = key;
    h = (h ^ h >> 16) * 0x85ebca6b;
    h = (h ^ h >> 13) * 0xc2b2ae35;
    h ^= h >> 16;
    return static_cast<std::uint32_t>(std::uint64_t{h} * buckets_ >> 32);
  }
  __device__ std::uint32_t bucket_after(std::uint32_t bucket) const {
    return bucket + 1 < buckets_ ? bucket + 1 : 0;
  }
  __device__ Word* slot_at(std::uint32_t bucket, std::uint32_t offset) const {
    return slots_ + (std::size_t{bucket} * kBucket + offset);
  }

  // kCount words in a row, in as few accesses as possible. Each word is a relaxed load of its own:
  // the words of one access need not be of one moment.
  template <std::size_t kCount>
  using Words = cuda::std::array<Word, kCount>;
  template <std::size_t kCount>
  __device__ static Words<kCount> read(Word* slot) {
    Words<kCount> words;
    if constexpr (kCount % 2 == 0 && Orders::kScope == cuda::thread_scope_thread) {
#pragma unroll
      for (std::uint32_t i = 0; i < kCount; i += 2) {
        const ulonglong2 pair = *reinterpret_cast<const ulonglong2*>(slot + i);
        words[i] = pair.x, words[i + 1] = pair.y;
      }
    } else if constexpr (kCount % 2 == 0 && Orders::kScope == cuda::thread_scope_device &&
                         Orders::kRead == cuda::memory_order_relaxed) {
#pragma unroll
      for (std::uint32_t i = 0; i < kCount; i += 2)  // libcu++ has no load of two words
        asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
                     : "=l"(words[i]), "=l"(words[i + 1])
                     : "l"(__cvta_generic_to_global(slot + i))
                     : "memory");
    } else {
#pragma unroll
      for (std::uint32_t i = 0; i < kCount; ++i) words[i] = Ref(slot[i]).load(Orders::kRead);
    }
    return words;
  }

  // Where a search for `key` ends among these words: the first that is empty or belongs to the key
  // (and `seen` is that word); or kCount, and the search goes on in the next bucket.
  template <std::size_t kCount>
  __device__ static std::uint32_t end_of_search(const Words<kCount>& words, std::uint32_t key,
                                                Word& seen) {
    std::uint32_t at = kCount;
#pragma unroll
    for (std::uint32_t i = kCount; i-- > 0;)
      if (key_of(words[i]) == key || words[i] == kEmpty) at = i, seen = words[i];
    return at;
  }
  // words[at] = word, without an address: the words stay in registers.
  template <std::size_t kCount>
  __device__ static void update(Words<kCount>& words, std::uint32_t at, Word word) {
#pragma unroll
    for (std::uint32_t i = 0; i < kCount; ++i)
      if (i == at) words[i] = word;
  }

  // Tries to put key and value into a slot in which `seen` was. False: another key has it. A failed
  // exchange means that another thread changed this slot: it never fails for nothing.
  __device__ static bool try_insert(Word* slot, Word& seen, std::uint32_t key, std::uint32_t value,
                                    Insert& result) {
    const Word dead = pack(key, kDead);
    result = Insert::Inserted;
    while (seen == kEmpty || seen == dead)
      if (exchange(slot, seen, pack(key, value))) return true;
    result = Insert::Present;
    return key_of(seen) == key;
  }
  // The slot belongs to the key. True: this call ended its life.
  __device__ static bool try_erase(Word* slot, Word seen, std::uint32_t key) {
    while (value_of(seen) != kDead)
      if (exchange(slot, seen, pack(key, kDead))) return true;
    return false;
  }

 private:
  static std::uint32_t buckets_for(std::uint32_t capacity) {
    return capacity / kBucket + (capacity % kBucket != 0);
  }
  __device__ static bool exchange(Word* slot, Word& seen, Word word) {
    return Ref(*slot).compare_exchange_strong(seen, word, Orders::kWrite, Orders::kRead);
  }

 protected:
  Word* slots_;
  std::uint32_t capacity_;
  std::uint32_t buckets_;
};

// One thread per key. A bucket is 32 bytes, what the memory moves at least: its other slots come
// with the first.
template <class Orders = MapOrders, std::uint32_t kBucket = 4>
class HashMap : public MapSlots<Orders, kBucket> {
  using Slots = MapSlots<Orders, kBucket>;
  using typename Slots::Word;

 public:
  using Slots::Slots;
  // The first bucket of a key. Who reads those of several keys before using any waits only once.
  using First = typename Slots::template Words<kBucket>;
  __device__ First look(std::uint32_t key) const { return read(this->first_bucket(key)); }

  __device__ Insert insert(std::uint32_t key, std::uint32_t value) {
    return insert(key, value, look(key));
  }
  __device__ Insert insert(std::uint32_t key, std::uint32_t value, First words) {
    if (Slots::refused(key, value)) return Insert::Refused;
    std::uint32_t bucket = this->first_bucket(key);
    for (std::uint32_t left = this->buckets_;;) {
      Word seen;
      std::uint32_t at;
      while ((at = Slots::end_of_search(words, key, seen)) < kBucket) {
        Insert result;
        if (Slots::try_insert(this->slot_at(bucket, at), seen, key, value, result)) return result;
        Slots::update(words, at, seen);  // another key was faster: look again, behind it
      }
      if (--left == 0) return Insert::Full;
      words = read(bucket = this->bucket_after(bucket));
    }
  }

  // False: not there, and value is untouched.
  __device__ bool find(std::uint32_t key, std::uint32_t& value) const {
    return find(key, value, look(key));
  }
  __device__ bool find(std::uint32_t key, std::uint32_t& value, First words) const {
    Word word;
    if (locate(key, words, word) == nullptr || Slots::value_of(word) == Slots::kDead) return false;
    value = Slots::value_of(word);
    return true;
  }

  // False: not there.
  __device__ bool erase(std::uint32_t key) {
    Word word;
    Word* const slot = locate(key, look(key), word);
    return slot != nullptr && Slots::try_erase(slot, word, key);
  }

 private:
  __device__ First read(std::uint32_t bucket) const {
    return Slots::template read<kBucket>(this->slot_at(bucket, 0));
  }
  // The slot of the key and the word seen there; or nullptr.
  __device__ Word* locate(std::uint32_t key, First words, Word& word) const {
    if (key == Slots::kNoKey) return nullptr;
    std::uint32_t bucket = this->first_bucket(key);
    for (std::uint32_t left = this->buckets_;;) {
      const std::uint32_t at = Slots::end_of_search(words, key, word);
      if (at < kBucket) return Slots::key_of(word) == key ? this->slot_at(bucket, at) : nullptr;
      if (--left == 0) return nullptr;
      words = read(bucket = this->bucket_after(bucket));
    }
  }
};

// Changed: a tile of lanes per key. Each lane reads its own slots of the bucket.
// Why:     the tile's slots lie side by side: one access, however many slots a bucket has. Large
//          buckets are seldom full, so nearly every search ends in its first bucket.
// Cost:    all lanes of the tile must be here, with the same key; ballots and shuffles.
template <class Orders = MapOrders, std::uint32_t kTile = 4, std::uint32_t kPerLane = 1>
class TileHashMap : public MapSlots<Orders, kTile * kPerLane> {
  using Slots = MapSlots<Orders, kTile * kPerLane>;
  using typename Slots::Word;

 public:
  using Slots::Slots;
  using Tile = cooperative_groups::thread_block_tile<kTile>;
  using First = typename Slots::template Words<kPerLane>;  // this lane's part of the bucket
  __device__ First look(const Tile& tile, std::uint32_t key) const {
    return read(tile, this->first_bucket(key));
  }

  __device__ Insert insert(const Tile& tile, std::uint32_t key, std::uint32_t value) {
    return insert(tile, key, value, look(tile, key));
  }
  __device__ Insert insert(const Tile& tile, std::uint32_t key, std::uint32_t value, First words) {
    if (Slots::refused(key, value)) return Insert::Refused;
    std::uint32_t bucket = this->first_bucket(key);
    for (std::uint32_t left = this->buckets_;;) {
      for (;;) {
        // The first lane at which the search ends tries. If another key was faster there, that lane
        // knows it now, and all look again.
        Word seen;
        const std::uint32_t at = Slots::end_of_search(words, key, seen);
        const unsigned able = tile.ballot(at < kPerLane);
        if (able == 0) break;
        const unsigned lane = __ffs(able) - 1;
        Insert result = Insert::Full;
        if (tile.thread_rank() == lane) {
          const bool done = Slots::try_insert(slot_of(tile, bucket, at), seen, key, value, result);
          if (!done) result = Insert::Full;
          Slots::update(words, at, seen);
        }
        result = static_cast<Insert>(tile.shfl(static_cast<std::uint32_t>(result), lane));
        if (result != Insert::Full) return result;
      }
      if (--left == 0) return Insert::Full;
      words = read(tile, bucket = this->bucket_after(bucket));
    }
  }

  __device__ bool find(const Tile& tile, std::uint32_t key, std::uint32_t& value) const {
    return find(tile, key, value, look(tile, key));
  }
  __device__ bool find(const Tile& tile, std::uint32_t key, std::uint32_t& value,
                       First words) const {
    const std::uint32_t seen = Slots::value_of(locate(tile, key, words).word);
    if (seen == Slots::kDead) return false;
    value = seen;
    return true;
  }

  __device__ bool erase(const Tile& tile, std::uint32_t key) {
    const Found found = locate(tile, key, look(tile, key));
    return tile.any(found.slot != nullptr && Slots::try_erase(found.slot, found.word, key));
  }

 private:
  __device__ Word* slot_of(const Tile& tile, std::uint32_t bucket, std::uint32_t i) const {
    return this->slot_at(bucket, tile.thread_rank() * kPerLane + i);
  }
  __device__ First read(const Tile& tile, std::uint32_t bucket) const {
    return Slots::template read<kPerLane>(slot_of(tile, bucket, 0));
  }
  // The word of the key, for all lanes, or kEmpty (its value is kDead); and its slot, for the lane
  // that has it.
  struct Found {
    Word word = Slots::kEmpty;
    Word* slot = nullptr;
  };
  __device__ Found locate(const Tile& tile, std::uint32_t key, First words) const {
    if (key == Slots::kNoKey) return {};
    std::uint32_t bucket = this->first_bucket(key);
    for (std::uint32_t left = this->buckets_;;) {
      Word seen = Slots::kEmpty;
      const std::uint32_t at = Slots::end_of_search(words, key, seen);
      const unsigned able = tile.ballot(at < kPerLane);
      if (able != 0) {
        const unsigned lane = __ffs(able) - 1;
        const Word word = tile.shfl(seen, lane);
        const bool mine = tile.thread_rank() == lane && Slots::key_of(word) == key;
        return {word, mine ? slot_of(tile, bucket, at) : nullptr};
      }
      if (--left == 0) return {};
      words = read(tile, bucket = this->bucket_after(bucket));
    }
  }
};

}  // namespace lesson06
