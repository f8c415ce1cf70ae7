// SPDX-License-Identifier: MIT
// A table that gives slots back: insert, insert_or_add, find and erase, all at the same time.
//
// A slot that comes back breaks what the other tables live on. Two threads insert the same key: each
// looks through the bucket, does not find it, and picks a free slot. While nothing is ever given back both
// pick the same one. Once slots can become free in between, they may pick two, and the key is there twice.
// No exchange of one word can see that: the slot is as free as it was, and the harm was done in another.
//
// So the keys are divided into stripes, and each stripe has a version. Odd: somebody is inserting a key of
// this stripe. A thread reads the version, looks for its key, and may insert only if it can exchange the
// version that it has read for the next: then nobody inserted that key since it began to look. Slots are
// taken by exchange as before, since keys of other stripes may want them too. Find and erase look at no
// version: a key has one slot at most, and whatever happens to it happens to that word.
#pragma once

#include <cstddef>

#include "lessons/11_hash_table/probing.cuh"
#include "lessons/11_hash_table/slots.cuh"

namespace lesson11 {

struct ReusingOrders {
  // All threads of the GPU: a version that only one's own block is told says nothing about others.
  static constexpr auto kScope = cuda::thread_scope_device;
  static constexpr auto kWrite = cuda::memory_order_relaxed;
  static constexpr auto kRead = cuda::memory_order_relaxed;
  // Who reads a version sees the slots as they were when it was written, or later,
  static constexpr auto kSeeVersion = cuda::memory_order_acquire;
  // because whoever writes it has filled its slot before.
  static constexpr auto kEndVersion = cuda::memory_order_release;
  // To have a version is a right and no message: what was read before may be newer, never older.
  static constexpr auto kTakeVersion = cuda::memory_order_relaxed;
};

template <std::uint32_t kBucket = 4, class ProbeOrder = NextBucket, class Orders = ReusingOrders>
class ReusingTable {
 public:
  using Probe = ProbeOrder;
  using Bucket = Words<kBucket>;

  // A version for so many slots. Fewer versions fit into the cache better, more are less in demand.
  static constexpr std::uint32_t kSlotsPerStripe = 64;
  static std::uint32_t stripes_for(std::uint32_t capacity) {
    return capacity / kSlotsPerStripe + 1;
  }
  static std::size_t slots(std::uint32_t capacity) {
    return std::size_t{buckets_for(capacity)} * kBucket;
  }
  static std::size_t bytes(std::uint32_t capacity) {
    return slots(capacity) * sizeof(Word) + stripes_for(capacity) * sizeof(std::uint32_t);
  }
  // `version`: where the versions start; tests let them run over their end.
  ReusingTable(void* memory, std::uint32_t capacity, std::uint32_t version = 0)
      : slots_(static_cast<Word*>(memory)),
        versions_(reinterpret_cast<std::uint32_t*>(slots_ + slots(capacity))),
        capacity_(capacity),
        buckets_(buckets_for(capacity)),
        stripes_(stripes_for(capacity)),
        version_(version * 2) {}
  __device__ void reset(std::uint32_t i, std::uint32_t n) {
    for (std::size_t s = i; s < std::size_t{buckets_} * kBucket; s += n)
      slots_[s] = s < capacity_ ? kEmpty : kWall;
    for (std::uint32_t s = i; s < stripes_; s += n) versions_[s] = version_;
  }

  __device__ Outcome insert(std::uint32_t key, std::uint32_t value) {
    return put<false>(key, value);
  }
  __device__ Outcome insert_or_add(std::uint32_t key, std::uint32_t value) {
    return put<true>(key, value);
  }
  __device__ bool find(std::uint32_t key, std::uint32_t& value) const {
    const Place place = search(key);
    if (!place.found) return false;
    value = value_of(place.seen);
    return true;
  }
  // False: not there.
  __device__ bool erase(std::uint32_t key) {
    Place place = search(key);
    // Fails if the value changed, or if somebody else erased the key: then its life is over, whatever
    // came into the slot since.
    while (place.found && key_of(place.seen) == key)
      if (exchange(place.slot, place.seen, kErased)) return true;
    return false;
  }

 protected:
  // Where the key is; or, not found, the first slot that could take it (null: there is none).
  struct Place {
    bool found = false;
    Word* slot = nullptr;
    Word seen = kWall;
  };
  __device__ Place search(std::uint32_t key) const {
    Place place;
    if (refused(key)) return place;
    Probe at(key, buckets_);
    for (std::uint32_t left = Probe::steps(buckets_); left > 0; --left, at.advance(buckets_)) {
      Word* const first = slots_ + std::size_t{at.bucket} * kBucket;
      const Bucket words = read_words<Orders, kBucket>(first);
      bool room = false;
#pragma unroll
      for (std::uint32_t i = 0; i < kBucket; ++i) {
        const Word word = words[i];
        if (key_of(word) == key) return {true, first + i, word};
        room |= word == kEmpty;
        if (place.slot == nullptr && (word == kEmpty || word == kErased))
          place.slot = first + i, place.seen = word;
      }
      if (room) break;  // a bucket that was never full: no key went past it
    }
    return place;
  }
  __device__ static bool exchange(Word* slot, Word& seen, Word word) {
    return WordRef<Orders>(*slot).compare_exchange_strong(seen, word, Orders::kWrite,
                                                          Orders::kRead);
  }

 private:
  template <bool kAdd>
  __device__ Outcome put(std::uint32_t key, std::uint32_t value) {
    if (refused(key)) return Outcome::Refused;
    const Version ref(versions_[scaled(mix_again(key), stripes_)]);
    for (;;) {
      std::uint32_t version = ref.load(Orders::kSeeVersion);
      if (version % 2 != 0) continue;
      Place place = search(key);
      if (place.found) {
        // Not a plain addition: the slot may be given to another key at any moment.
        const Word sum = place.seen + (Word{value} << 32);
        if (!kAdd || exchange(place.slot, place.seen, sum)) return Outcome::Present;
        continue;
      }
      if (place.slot == nullptr) return Outcome::Full;
      if (!ref.compare_exchange_strong(version, version + 1, Orders::kTakeVersion,
                                       cuda::memory_order_relaxed))
        continue;
      const bool done = exchange(place.slot, place.seen, pack(key, value));
      ref.store(version + 2, Orders::kEndVersion);
      if (done) return Outcome::Inserted;  // else a key of another stripe took the slot
    }
  }
  using Version = cuda::atomic_ref<std::uint32_t, Orders::kScope>;
  __host__ __device__ static std::uint32_t buckets_for(std::uint32_t capacity) {
    return capacity / kBucket + (capacity % kBucket != 0);
  }
  Word* slots_;
  std::uint32_t* versions_;
  std::uint32_t capacity_, buckets_, stripes_, version_;
};

}  // namespace lesson11
