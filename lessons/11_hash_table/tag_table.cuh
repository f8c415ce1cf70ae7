// SPDX-License-Identifier: MIT
// Changed: beside the slots lies a byte for each of them, a fingerprint of its key. 16 fingerprints are
//          one load, and only slots whose fingerprint agrees are read.
// Why:     large buckets without reading them: up to load factors of 0.8 nearly every search ends in its
//          first bucket, and one for a key that is not there reads no slot at all.
// Cost:    a key that is there takes two accesses in different places, never one.
#pragma once

#include <cstddef>

#include "lessons/11_hash_table/probing.cuh"
#include "lessons/11_hash_table/slots.cuh"

namespace lesson11 {

// Who inserts takes a slot by writing its fingerprint, and then fills it. Fingerprints only ever become
// more and everyone takes the first free one, so two who insert the same key meet at one fingerprint; the
// second finds it, and waits for the slot behind it. A slot that is taken and not yet filled counts where
// the table says Full, though a find does not see it yet.
template <class Orders = TableOrders>
class TagTable {
 public:
  static constexpr std::uint32_t kBucket = 16, kHalf = 8;
  using Probe = SecondChoice;
  using Frozen = TagTable<FrozenOrders>;

  // The fingerprints lie behind the slots.
  static std::size_t slots(std::uint32_t capacity) {
    return std::size_t{buckets_for(capacity)} * kBucket;
  }
  static std::size_t bytes(std::uint32_t capacity) { return slots(capacity) * 9; }
  __host__ __device__ TagTable(void* memory, std::uint32_t capacity)
      : TagTable(static_cast<Word*>(memory),
                 static_cast<Word*>(memory) + std::size_t{buckets_for(capacity)} * kBucket,
                 capacity) {}
  // Or elsewhere: one byte for each slot, aligned to 16 bytes.
  __host__ __device__ TagTable(Word* slots, Word* tags, std::uint32_t capacity)
      : slots_(slots), tags_(tags), capacity_(capacity), buckets_(buckets_for(capacity)) {}
  // memset does, where the capacity is a multiple of 16: 0xff for the slots, 0 for the fingerprints.
  __device__ void reset(std::uint32_t i, std::uint32_t n) {
    const std::size_t all = std::size_t{buckets_} * kBucket;
    for (std::size_t s = i; s < all; s += n) {
      slots_[s] = kEmpty;
      reinterpret_cast<unsigned char*>(tags_)[s] = s < capacity_ ? 0 : kWallTag;
    }
  }
  __host__ __device__ Frozen frozen() const { return Frozen(slots_, tags_, capacity_); }

  __device__ Outcome insert(std::uint32_t key, std::uint32_t value) {
    return put<false>(key, value);
  }
  __device__ Outcome insert_or_add(std::uint32_t key, std::uint32_t value) {
    return put<true>(key, value);
  }
  __device__ bool find(std::uint32_t key, std::uint32_t& value) const {
    if (refused(key)) return false;
    Probe at(key, buckets_);
    for (std::uint32_t left = Probe::steps(buckets_);; at.advance(buckets_)) {
      const Words<2> tags = read_words<Orders, 2>(tags_of(at, 0));
#pragma unroll
      for (std::uint32_t half = 0; half < 2; ++half)
        for (Word rest = bytes_equal(tags[half], tag_of(key)); rest != 0; rest &= rest - 1) {
          // Still empty: whoever inserts there has not finished, so the key is not there yet.
          const Word word = WordRef<Orders>(*slot(at, half, rest)).load(Orders::kRead);
          if (key_of(word) != key) continue;
          value = value_of(word);
          return true;
        }
      if ((bytes_equal(tags[0], 0) | bytes_equal(tags[1], 0)) != 0 || --left == 0) return false;
    }
  }

 private:
  static constexpr unsigned char kWallTag = 0xff;

  template <bool kAdd>
  __device__ Outcome put(std::uint32_t key, std::uint32_t value) {
    if (refused(key)) return Outcome::Refused;
    const Word tag = tag_of(key);
    Probe at(key, buckets_);
    for (std::uint32_t left = Probe::steps(buckets_); left > 0; --left, at.advance(buckets_)) {
      const Words<2> tags = read_words<Orders, 2>(tags_of(at, 0));
#pragma unroll
      for (std::uint32_t half = 0; half < 2; ++half)
        for (Word now = tags[half];;) {
          if (meets_key<kAdd>(at, half, now, key, value)) return Outcome::Present;
          const Word free = bytes_equal(now, 0);
          if (free == 0) break;
          // A failed exchange has brought the newer fingerprints: look through them again.
          const Word taken = now | tag << (__ffsll(free) - 8);
          if (!WordRef<Orders>(*tags_of(at, half))
                   .compare_exchange_strong(now, taken, Orders::kWrite, Orders::kRead))
            continue;
          WordRef<Orders>(*slot(at, half, free)).store(pack(key, value), Orders::kWrite);
          return Outcome::Inserted;
        }
    }
    return Outcome::Full;
  }
  // Whether the key is behind one of these fingerprints.
  template <bool kAdd>
  __device__ bool meets_key(const Probe& at, std::uint32_t half, Word tags, std::uint32_t key,
                            std::uint32_t value) {
    for (Word rest = bytes_equal(tags, tag_of(key)); rest != 0; rest &= rest - 1) {
      const WordRef<Orders> ref(*slot(at, half, rest));
      Word word;
      while ((word = ref.load(Orders::kRead)) == kEmpty) {
      }  // taken and not filled: it may be the same key
      if (key_of(word) != key) continue;
      if (kAdd) ref.fetch_add(Word{value} << 32, Orders::kWrite);
      return true;
    }
    return false;
  }
  // 1 to 254: neither free nor wall.
  __device__ static Word tag_of(std::uint32_t key) {
    return 1 + scaled(mix(key) * 0x9e3779b1u, 254);
  }
  // The highest bit of each byte that equals `byte`, and no other: the shorter (x - ones) & ~x also
  // marks a byte behind an equal one that differs in its lowest bit, and with tag 1 that is a free slot,
  // for which meets_key() would wait for ever.
  __device__ static Word bytes_equal(Word bytes, Word byte) {
    constexpr Word kOnes = 0x0101010101010101ull, kLow = 0x7f * kOnes;
    const Word x = bytes ^ byte * kOnes;
    return ~((x & kLow) + kLow | x | kLow);
  }
  __device__ Word* slot(const Probe& at, std::uint32_t half, Word mark) const {
    const std::uint32_t byte = (__ffsll(mark) - 1) / 8;
    return slots_ + (std::size_t{at.bucket} * kBucket + half * kHalf + byte);
  }
  __device__ Word* tags_of(const Probe& at, std::uint32_t half) const {
    return tags_ + (std::size_t{at.bucket} * 2 + half);
  }
  __host__ __device__ static std::uint32_t buckets_for(std::uint32_t capacity) {
    return capacity / kBucket + (capacity % kBucket != 0);
  }
  Word *slots_, *tags_;
  std::uint32_t capacity_, buckets_;
};

}  // namespace lesson11
