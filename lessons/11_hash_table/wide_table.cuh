// SPDX-License-Identifier: MIT
// Keys and values of 64 bits. A slot has 16 bytes, and two ways to fill it:
//
//   OneExchange   both halves by one exchange of 128 bits (compute capability 9.0 and later)
//   KeyThenValue  the key by an exchange of 64 bits, then the value; before 9.0. A value of all ones says
//                 that the value is still on its way, so no value may be that, and who finds the key
//                 waits for it: "not there yet" would be a lie to those whom an insert has already told
//                 that the key is present.
//
// Slots keep their keys, as in table.cuh.
#pragma once

#include <cstddef>

#include "lessons/11_hash_table/hash.cuh"
#include "lessons/11_hash_table/slots.cuh"

namespace lesson11 {

struct WideSlot {
  Word key, value;
};
inline constexpr Word kNoWideKey = ~Word{0};  // refused, and what memset(..., 0xff, ...) leaves
inline constexpr Word kNoValue = ~Word{0};

struct OneExchange {
  static constexpr bool kEveryValue = true;
  // A load of 128 bits that is whole: two of 64 could see the key of one moment and the value of another.
  __device__ static WideSlot read(WideSlot* at) {
    WideSlot slot;
    asm volatile(
        "{\n.reg .b128 both;\nld.relaxed.gpu.global.b128 both, [%2];\n"
        "mov.b128 {%0, %1}, both;\n}"
        : "=l"(slot.key), "=l"(slot.value)
        : "l"(__cvta_generic_to_global(at))
        : "memory");
    return slot;
  }
  // Exchanges an empty slot: what was there.
  __device__ static WideSlot claim(WideSlot* at, Word key, Word value) {
    WideSlot seen;
    asm volatile(
        "{\n.reg .b128 none, wanted, before;\n"
        "mov.b128 none, {%5, %5};\nmov.b128 wanted, {%3, %4};\n"
        "atom.relaxed.gpu.global.cas.b128 before, [%2], none, wanted;\n"
        "mov.b128 {%0, %1}, before;\n}"
        : "=l"(seen.key), "=l"(seen.value)
        : "l"(__cvta_generic_to_global(at)), "l"(key), "l"(value), "l"(kNoWideKey)
        : "memory");
    return seen;
  }
  __device__ static void add(WideSlot* at, Word value) {
    // An addition of 64 bits beside exchanges of 128: accesses of two sizes to one place are a race in
    // the memory model of PTX. So it is an exchange too.
    WideSlot seen = read(at);
    for (;;) {
      const WideSlot before = exchange(at, seen, {seen.key, seen.value + value});
      if (before.value == seen.value) return;
      seen = before;
    }
  }

 private:
  __device__ static WideSlot exchange(WideSlot* at, const WideSlot& seen, const WideSlot& wanted) {
    WideSlot before;
    asm volatile(
        "{\n.reg .b128 expected, wanted, before;\n"
        "mov.b128 expected, {%3, %4};\nmov.b128 wanted, {%5, %6};\n"
        "atom.relaxed.gpu.global.cas.b128 before, [%2], expected, wanted;\n"
        "mov.b128 {%0, %1}, before;\n}"
        : "=l"(before.key), "=l"(before.value)
        : "l"(__cvta_generic_to_global(at)), "l"(seen.key), "l"(seen.value), "l"(wanted.key),
          "l"(wanted.value)
        : "memory");
    return before;
  }
};

// Each word tells by itself whether it is there, so no order between them is needed: relaxed.
struct KeyThenValue {
  static constexpr bool kEveryValue = false;
  using Ref = cuda::atomic_ref<Word, cuda::thread_scope_device>;
  static constexpr auto kRelaxed = cuda::memory_order_relaxed;

  __device__ static WideSlot read(WideSlot* at) {
    return {Ref(at->key).load(kRelaxed), Ref(at->value).load(kRelaxed)};
  }
  __device__ static WideSlot claim(WideSlot* at, Word key, Word value) {
    Word seen = kNoWideKey;
    if (Ref(at->key).compare_exchange_strong(seen, key, kRelaxed, kRelaxed))
      Ref(at->value).store(value, kRelaxed);
    return {seen, kNoValue};
  }
  __device__ static void add(WideSlot* at, Word value) {
    while (Ref(at->value).load(kRelaxed) == kNoValue) {
    }  // whoever inserted the key is about to write it
    Ref(at->value).fetch_add(value, kRelaxed);
  }
};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
using WideDefault = OneExchange;
#else
using WideDefault = KeyThenValue;
#endif

// Buckets of two slots, a sector, one after the other.
template <class How = WideDefault>
class WideTable {
 public:
  static constexpr std::uint32_t kBucket = 2;
  static std::size_t bytes(std::uint32_t capacity) { return capacity * sizeof(WideSlot); }
  // Any capacity from 1 on; the memory is aligned to 16 bytes.
  __host__ __device__ WideTable(void* memory, std::uint32_t capacity)
      : slots_(static_cast<WideSlot*>(memory)), capacity_(capacity) {}
  __device__ void reset(std::uint32_t i, std::uint32_t n) {  // or memset to 0xff
    for (std::size_t s = i; s < capacity_; s += n) slots_[s] = {kNoWideKey, kNoValue};
  }
  __device__ Outcome insert(Word key, Word value) { return put<false>(key, value); }
  __device__ Outcome insert_or_add(Word key, Word value) { return put<true>(key, value); }
  __device__ bool find(Word key, Word& value) const {
    std::uint32_t at = first(key);
    for (std::uint32_t left = key == kNoWideKey ? 0 : capacity_; left > 0; --left, at = next(at)) {
      WideSlot seen = How::read(slots_ + at);
      if (seen.key == kNoWideKey) return false;
      if (seen.key != key) continue;
      while (!How::kEveryValue && seen.value == kNoValue) seen = How::read(slots_ + at);
      value = seen.value;
      return true;
    }
    return false;
  }

 private:
  template <bool kAdd>
  __device__ Outcome put(Word key, Word value) {
    if (key == kNoWideKey || (!How::kEveryValue && value == kNoValue)) return Outcome::Refused;
    std::uint32_t at = first(key);
    for (std::uint32_t left = capacity_; left > 0; --left, at = next(at)) {
      Word seen = How::read(slots_ + at).key;
      if (seen == kNoWideKey) {
        seen = How::claim(slots_ + at, key, value).key;
        if (seen == kNoWideKey) return Outcome::Inserted;
      }
      if (seen != key) continue;
      if (kAdd) How::add(slots_ + at, value);
      return Outcome::Present;
    }
    return Outcome::Full;
  }
  // The first slot of a sector.
  __device__ std::uint32_t first(Word key) const {
    const auto hash = static_cast<std::uint32_t>(mix(std::uint64_t{key}) >> 32);
    return scaled(hash, (capacity_ + kBucket - 1) / kBucket) * kBucket;
  }
  __device__ std::uint32_t next(std::uint32_t at) const { return at + 1 < capacity_ ? at + 1 : 0; }
  WideSlot* slots_;
  std::uint32_t capacity_;
};

}  // namespace lesson11
