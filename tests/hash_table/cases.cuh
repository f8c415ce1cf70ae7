// SPDX-License-Identifier: MIT
// The tables of lesson 11 as rows of the search over schedules (tests/lock_free), beside those that are
// wrong on purpose: each makes one mistake that such a table is easily written with.
#pragma once

#include <cooperative_groups.h>

#include "lessons/11_hash_table/reusing_table.cuh"
#include "lessons/11_hash_table/table.cuh"
#include "lessons/11_hash_table/tag_table.cuh"
#include "lessons/11_hash_table/tile_table.cuh"
#include "lessons/11_hash_table/wide_table.cuh"
#include "lock_free/weaken.cuh"

namespace hash_table {

using namespace lesson11;
using namespace lock_free;

LOCK_FREE_WEAKENED(Scope, TableOrders, kScope, kBlock);
LOCK_FREE_WEAKENED(ReusingScope, ReusingOrders, kScope, kBlock);
LOCK_FREE_WEAKENED(See, ReusingOrders, kSeeVersion, kRelaxed);
LOCK_FREE_WEAKENED(End, ReusingOrders, kEndVersion, kRelaxed);

// A table with calls of 32 bits. kLanes lanes call it together.
template <class S, std::uint32_t kLanes = 1>
struct Subject {
  static constexpr std::uint32_t kWidth = kLanes;
  S table;

  static std::size_t bytes(std::uint32_t capacity) { return S::bytes(capacity); }
  Subject(void* memory, const Plan& plan) : table(make(memory, plan)) {}
  static S make(void* memory, const Plan& plan) {
    if constexpr (std::is_constructible_v<S, void*, std::uint32_t, std::uint32_t>)
      return S(memory, plan.capacity, plan.version);
    else
      return S(memory, plan.capacity);
  }
  __device__ void reset(std::uint32_t i, std::uint32_t n) { table.reset(i, n); }
  __device__ void call(Operation& o) {
    if (o.kind == Kind::Insert)
      o.ok = static_cast<std::uint32_t>(table.insert(o.key, o.value));
    else if (o.kind == Kind::Add)
      o.ok = static_cast<std::uint32_t>(table.insert_or_add(o.key, o.value));
    else if (o.kind == Kind::Find)
      o.ok = table.find(o.key, o.result);
    else if constexpr (requires { table.erase(o.key); })
      o.ok = table.erase(o.key);
  }
};

// A tile of lanes for each key: a table whose calls know their tile.
template <class Orders, std::uint32_t kTile>
struct Tiled : TileTable<kTile, NextBucket, Orders> {
  using Base = TileTable<kTile, NextBucket, Orders>;
  using Base::Base;
  __device__ static auto tile() {
    return cooperative_groups::tiled_partition<kTile>(cooperative_groups::this_thread_block());
  }
  __device__ Outcome insert(std::uint32_t key, std::uint32_t value) {
    return Base::insert(tile(), key, value);
  }
  __device__ Outcome insert_or_add(std::uint32_t key, std::uint32_t value) {
    return Base::insert_or_add(tile(), key, value);
  }
  __device__ bool find(std::uint32_t key, std::uint32_t& value) {
    return Base::find(tile(), key, value);
  }
};

// Keys and values of 64 bits whose halves are equal: one whose halves are of two moments is seen.
template <class How>
struct Doubled : WideTable<How> {
  using Base = WideTable<How>;
  using Base::Base;
  static constexpr Word kBoth = 0x100000001ull;
  __device__ Outcome insert(std::uint32_t key, std::uint32_t value) {
    return Base::insert(key * kBoth, value * kBoth);
  }
  __device__ Outcome insert_or_add(std::uint32_t key, std::uint32_t value) {
    return Base::insert_or_add(key * kBoth, value * kBoth);
  }
  __device__ bool find(std::uint32_t key, std::uint32_t& value) {
    Word found = 0;
    if (!Base::find(key * kBoth, found)) return false;
    value = found % kBoth == 0 ? static_cast<std::uint32_t>(found) : 0xbad;
    return true;
  }
};

// ---- wrong on purpose

// Gives slots back without versions: two who insert one key can pick two free slots.
struct ReusingBlind : ReusingTable<> {
  using ReusingTable::ReusingTable;
  __device__ Outcome insert(std::uint32_t key, std::uint32_t value) {
    return put(key, value, false);
  }
  __device__ Outcome insert_or_add(std::uint32_t key, std::uint32_t value) {
    return put(key, value, true);
  }
  __device__ Outcome put(std::uint32_t key, std::uint32_t value, bool add) {
    for (;;) {
      Place place = search(key);
      if (place.found) {
        const Word sum = place.seen + (Word{value} << 32);
        if (!add || exchange(place.slot, place.seen, sum)) return Outcome::Present;
      } else if (place.slot == nullptr) {
        return Outcome::Full;
      } else if (exchange(place.slot, place.seen, pack(key, value))) {
        return Outcome::Inserted;
      }
    }
  }
};

// Goes on to the next slot where the exchange failed, and does not ask who was faster.
struct Unasked : Table<2> {
  using Table::Table;
  __device__ Outcome insert(std::uint32_t key, std::uint32_t value) {
    Probe at = probe(key);
    for (std::uint32_t left = steps(); left > 0; --left, advance(at)) {
      const Bucket words = look(at);
      for (std::uint32_t i = 0; i < 2; ++i) {
        if (key_of(words[i]) == key) return Outcome::Present;
        if (words[i] == kEmpty && claim(at, i, pack(key, value)) == kEmpty)
          return Outcome::Inserted;
      }
    }
    return Outcome::Full;
  }
};

// Reads a slot of 128 bits in two halves.
struct TornRead : OneExchange {
  __device__ static WideSlot read(WideSlot* at) { return KeyThenValue::read(at); }
};
// Does not mind that the value is still on its way.
struct Hasty : KeyThenValue {
  static constexpr bool kEveryValue = true;
};

Case wrong(Case row, const char* why, bool weak_only = false) {
  row.expect = Expect::Wrong;
  row.reason = why;
  row.weak_only = weak_only;
  return row;
}

void add_tables(std::vector<Case>& rows) {
  constexpr Shape kShape = Shape::Table;
  rows.push_back(right<Subject<Table<1>>>("table_linear", kShape));
  rows.push_back(right<Subject<Table<4>>>("table_sector", kShape));
  rows.push_back(right<Subject<Table<2, SecondChoice>>>("table_second_choice", kShape));
  rows.push_back(right<Subject<Table<2, OtherHalf>>>("table_other_half", kShape));
  rows.push_back(
      weakened<Subject<Table<4, NextBucket, Scope>>>("table_sector.kScope=block", kShape, false));
  rows.push_back(right<Subject<Tiled<TableOrders, 4>, 4>>("table_tile", kShape));
  rows.push_back(weakened<Subject<Tiled<Scope, 4>, 4>>("table_tile.kScope=block", kShape, false));
  rows.push_back(right<Subject<TagTable<>>>("table_tags", kShape, true));
  rows.push_back(weakened<Subject<TagTable<Scope>>>("table_tags.kScope=block", kShape, true));
  rows.push_back(wrong(right<Subject<Unasked>>("table_unasked", kShape),
                       "after a failed exchange nobody asks whether the key is there now"));
  rows.push_back(right<Subject<Doubled<OneExchange>>>("wide_one_exchange", kShape));
  rows.push_back(right<Subject<Doubled<KeyThenValue>>>("wide_key_then_value", kShape));
  rows.push_back(wrong(right<Subject<Doubled<TornRead>>>("wide_torn", kShape),
                       "a slot of 128 bits is read in two halves", true));
  rows.push_back(wrong(right<Subject<Doubled<Hasty>>>("wide_hasty", kShape),
                       "a value is taken before it is there"));
}

// One slot at a time: the emulator keeps the 16 bytes of a vector load in one piece, and a sector's worth
// of slots would hide what is weakened.
void add_reusing(std::vector<Case>& rows) {
  constexpr Shape kShape = Shape::Reusing;
  rows.push_back(right<Subject<ReusingTable<1>>>("table_reusing", kShape));
  rows.push_back(right<Subject<ReusingTable<4>>>("table_reusing_sector", kShape));
  rows.push_back(right<Subject<ReusingTable<2, SecondChoice>>>("table_reusing_pairs", kShape));
  rows.push_back(weakened<Subject<ReusingTable<1, NextBucket, See>>>(
      "table_reusing.kSeeVersion=relaxed", kShape));
  rows.push_back(weakened<Subject<ReusingTable<1, NextBucket, End>>>(
      "table_reusing.kEndVersion=relaxed", kShape));
  rows.push_back(weakened<Subject<ReusingTable<1, NextBucket, ReusingScope>>>(
      "table_reusing.kScope=block", kShape));
  rows.push_back(wrong(right<Subject<ReusingBlind>>("table_reusing_blind", kShape),
                       "slots come back and nobody knows who inserted meanwhile"));
}

inline void add_all(std::vector<Case>& cases) {
  std::vector<Case> rows;
  add_tables(rows);
  add_reusing(rows);
  for (Case& row : rows) {
    row.lesson = "11_hash_table";
    cases.push_back(std::move(row));
  }
}

}  // namespace hash_table
