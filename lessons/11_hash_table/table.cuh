// SPDX-License-Identifier: MIT
// A hash table from 32-bit keys to 32-bit values, one thread per operation. It needs slots.cuh,
// probing.cuh and hash.cuh, and nothing else.
//
//   course::DeviceBuffer<Word> memory(Table<8>::slots(capacity));
//   cudaMemset(memory.data(), 0xff, memory.bytes());   // or reset()
//   Table<8> table(memory.data(), capacity);           // a small value: hand it to kernels
//
// Any number of threads may call any of the operations at the same time. A slot that has got a key keeps
// it (reusing_table.cuh gives slots back), and everyone takes the first empty slot of a key's order: so
// two who insert the same key meet in the same slot, one of them gets it, and the other sees that.
#pragma once

#include <cstddef>

#include "lessons/11_hash_table/probing.cuh"
#include "lessons/11_hash_table/slots.cuh"

namespace lesson11 {

template <std::uint32_t kBucket, class ProbeOrder = NextBucket, class Orders = TableOrders>
class Table {
 public:
  using Probe = ProbeOrder;
  using Bucket = Words<kBucket>;
  static constexpr std::uint32_t kSlots = kBucket;
  using Frozen = Table<kBucket, ProbeOrder, FrozenOrders>;  // for kernels that only find

  static std::size_t slots(std::uint32_t capacity) {  // words of memory
    return std::size_t{buckets_for(capacity)} * kBucket;
  }
  static std::size_t bytes(std::uint32_t capacity) { return slots(capacity) * sizeof(Word); }
  // Any capacity from 1 on; the memory is aligned to 16 bytes, better to that of a bucket.
  __host__ __device__ Table(void* memory, std::uint32_t capacity)
      : slots_(static_cast<Word*>(memory)), capacity_(capacity), buckets_(buckets_for(capacity)) {}
  // Thread i of n makes it empty. memset does, where the capacity is a multiple of kBucket.
  __device__ void reset(std::uint32_t i, std::uint32_t n) {
    for (std::size_t s = i; s < slots(); s += n) slots_[s] = s < capacity_ ? kEmpty : kWall;
  }
  __host__ __device__ std::size_t slots() const { return std::size_t{buckets_} * kBucket; }
  const __host__ __device__ Word* first_slot() const { return slots_; }
  __host__ __device__ Frozen frozen() const { return Frozen(slots_, capacity_); }

  __device__ Outcome insert(std::uint32_t key, std::uint32_t value) {
    return put<false>(key, value);
  }
  // The value becomes the sum, modulo 2^32.
  __device__ Outcome insert_or_add(std::uint32_t key, std::uint32_t value) {
    return put<true>(key, value);
  }
  // False: not there, and value is untouched.
  __device__ bool find(std::uint32_t key, std::uint32_t& value) const {
    if (refused(key)) return false;
    Probe at(key, buckets_);
    for (std::uint32_t left = Probe::steps(buckets_);; at.advance(buckets_)) {
      const Bucket words = look(at);
      const std::uint32_t place = end_of_search(words, key);
      if (place < kBucket) return take(words, place, key, value);
      if (--left == 0) return false;
    }
  }

  // ---- in steps, for kernels that have several keys under way (many.cuh)

  __device__ Probe probe(std::uint32_t key) const { return Probe(key, buckets_); }
  __device__ void advance(Probe& at) const { at.advance(buckets_); }
  __device__ std::uint32_t steps() const { return Probe::steps(buckets_); }
  __device__ Bucket look(const Probe& at) const { return read_words<Orders, kBucket>(slot(at, 0)); }
  // The word at `place` ends the search for the key: whether it is there.
  __device__ static bool take(const Bucket& words, std::uint32_t place, std::uint32_t key,
                              std::uint32_t& value) {
    const Word word = selected(words, place);
    if (key_of(word) != key) return false;
    value = value_of(word);
    return true;
  }
  __device__ Word* slot(const Probe& at, std::uint32_t place) const {
    return slots_ + (std::size_t{at.bucket} * kBucket + place);
  }
  // The exchange of an empty slot for the key's word: what was there. kEmpty: it is done.
  __device__ Word claim(const Probe& at, std::uint32_t place, Word word) const {
    Word seen = kEmpty;
    WordRef<Orders>(*slot(at, place))
        .compare_exchange_strong(seen, word, Orders::kWrite, Orders::kRead);
    return seen;
  }
  template <bool kAdd>
  __device__ Outcome put(std::uint32_t key, std::uint32_t value) {
    if (refused(key)) return Outcome::Refused;
    const Probe at = probe(key);
    return put_from<kAdd>(key, value, at, look(at));
  }
  // Goes on with a bucket that has been read already. The key is not refused.
  template <bool kAdd>
  __device__ Outcome put_from(std::uint32_t key, std::uint32_t value, Probe at, Bucket words) {
    for (std::uint32_t left = steps();;) {
      std::uint32_t place;
      while ((place = end_of_search(words, key)) < kBucket) {
        Word seen = selected(words, place);
        if (seen == kEmpty && (seen = claim(at, place, pack(key, value))) == kEmpty)
          return Outcome::Inserted;
        if (key_of(seen) == key) {
          // The key's half stays: the sum cannot carry into it, and nobody else gets this slot.
          if (kAdd) WordRef<Orders>(*slot(at, place)).fetch_add(Word{value} << 32, Orders::kWrite);
          return Outcome::Present;
        }
        update(words, place, seen);  // another key was faster: look again, behind it
      }
      if (--left == 0) return Outcome::Full;
      at.advance(buckets_);
      words = look(at);
    }
  }

 private:
  __host__ __device__ static std::uint32_t buckets_for(std::uint32_t capacity) {
    return capacity / kBucket + (capacity % kBucket != 0);
  }
  Word* slots_;
  std::uint32_t capacity_, buckets_;
};

}  // namespace lesson11
