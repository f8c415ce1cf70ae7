// SPDX-License-Identifier: MIT
// Lesson 11. A table that everyone writes: how many bytes an operation moves decides how fast it can be,
// and how many of them are on their way at once decides how fast it is.
//
// Families: fill   n pairs into an empty table      table.cuh, tile_table.cuh, tag_table.cuh, bulk.cuh
//           find   n keys looked up in it           the same tables, frozen
// Besides:  reusing_table.cuh (erase), wide_table.cuh (64 bits), growing.cuh, and the programs of this folder.
#pragma once

#include "common/check.cuh"
#include "common/irregular/hashing.hpp"
#include "lessons/11_hash_table/bulk.cuh"
#include "lessons/11_hash_table/many.cuh"
#include "lessons/11_hash_table/table.cuh"
#include "lessons/11_hash_table/tag_table.cuh"
#include "lessons/11_hash_table/tile_table.cuh"

namespace lesson11 {

using course::Hashing;
using course::families::Rung;

// A rung is a table and how many keys a thread has under way. Each has
//   make(task)          the table on the task's memory
//   clear(task)         makes it empty
//   fill(table, task)   puts the pairs in
//   find(table, task)   looks the queries up
template <class T>
struct OnSlots {
  using Table = T;
  static Table make(const Hashing& h) { return Table(h.slots, h.capacity); }
  static void clear(const Hashing& h) {
    COURSE_CHECK(cudaMemsetAsync(h.slots, 0xff, h.capacity * sizeof(Word)));
  }
};
template <class T>
struct OneByOne : OnSlots<T> {
  static void fill(const T& table, const Hashing& h) {
    put_each<false><<<blocks_for(h.n, h.block), h.block>>>(table, h.keys, h.values, h.n, h.full);
  }
  template <class Frozen>
  static void find(const Frozen& table, const Hashing& h) {
    find_each<<<blocks_for(h.n, h.block), h.block>>>(table, h.queries, h.n, h.found);
  }
};
template <class T>
struct ByTiles : OnSlots<T> {
  static void fill(const T& table, const Hashing& h) {
    put_each_by_tile<false>
        <<<blocks_for(h.n, h.block), h.block>>>(table, h.keys, h.values, h.n, h.full);
  }
  template <class Frozen>
  static void find(const Frozen& table, const Hashing& h) {
    find_each_by_tile<<<blocks_for(h.n, h.block), h.block>>>(table, h.queries, h.n, h.found);
  }
};
template <class T, std::uint32_t kCount>
struct SeveralAtOnce : OnSlots<T> {
  static void fill(const T& table, const Hashing& h) {
    put_several<false, kCount><<<blocks_for(h.n, std::size_t{kCount} * h.block), h.block>>>(
        table, h.keys, h.values, h.n, h.full);
  }
  template <class Frozen>
  static void find(const Frozen& table, const Hashing& h) {
    find_several<kCount><<<blocks_for(h.n, std::size_t{kCount} * h.block), h.block>>>(
        table, h.queries, h.n, h.found);
  }
};

// Changed: (the first) a thread looks at one slot after the other until it finds the key or room.
using LinearWay = OneByOne<Table<1>>;
// Changed: eight lanes look at eight slots at once, and vote.
// Why:     the slots of a bucket come in one access; the search ends at the first bucket with room.
// Cost:    eight lanes are busy with one key; ballots and shuffles for each.
using TileWay = ByTiles<TileTable<8>>;
// Changed: one thread reads a bucket of four slots, a sector, with two loads.
// Why:     memory moves no less than a sector: the three neighbours of the first slot come for nothing.
// Cost:    the words of a bucket are in registers.
using SectorWay = OneByOne<Table<4>>;
// Changed: four keys per thread, see put_several().
using InFlightWay = SeveralAtOnce<Table<4>, 4>;
// Changed: buckets of 64 bytes, and a second hash where the first bucket is full.
// Why:     DRAM moves 64 bytes at a time (the chapter counts them): the second sector comes for nothing
//          too. Fewer searches need a second access, and a second hash does not lead into a cluster.
// Cost:    twice the registers; L2 answers twice as many sectors.
using PairWay = SeveralAtOnce<Table<8, SecondChoice>, 2>;
// Changed: a sector again; where it is full, the other one of its 64 bytes, and only then a second hash.
// Why:     as for the pair, but the second sector is asked for only by those who need it, and then L2 has it.
// Cost:    a lane that goes on waits for L2 once more.
using HalvesWay = OneByOne<Table<4, OtherHalf>>;
// Changed: see tag_table.cuh.
struct TagWay : OneByOne<TagTable<>> {
  static TagTable<> make(const Hashing& h) { return TagTable<>(h.slots, h.tags, h.capacity); }
  static void clear(const Hashing& h) {
    OnSlots::clear(h);
    COURSE_CHECK(cudaMemsetAsync(h.tags, 0, h.capacity));
  }
};
// Changed: see bulk.cuh. Neighbouring buckets, or a second access would leave the part.
struct BulkWay : SeveralAtOnce<Table<8>, 2> {
  static void fill(const Table& table, const Hashing& h) {
    put_in_bulk<false>(table, h.keys, h.values, h.n, h.pairs, h.words, h.full,
                       h.device->multiprocessors);
  }
};

template <class Way>
void launch_fill(const Hashing& h) {
  Way::clear(h);
  if (h.n > 0) Way::fill(Way::make(h), h);
}
// Fills the table once: what is timed is the looking up.
template <class Way>
void launch_find(const Hashing& h) {
  static constexpr char kMark = 0;
  if (*h.filled_by != &kMark) launch_fill<Way>(h);
  *h.filled_by = &kMark;
  if (h.n > 0) Way::find(Way::make(h).frozen(), h);
}

inline constexpr Rung<Hashing> kFillRungs[] = {
    {"fill_linear", "a thread per key, one slot after the other", &launch_fill<LinearWay>},
    {"fill_tile", "a tile of eight lanes per key reads a bucket", &launch_fill<TileWay>},
    {"fill_sector", "a thread per key, a bucket is a sector", &launch_fill<SectorWay>},
    {"fill_in_flight", "four keys per thread under way at once", &launch_fill<InFlightWay>},
    {"fill_pair", "buckets of two sectors, a second hash", &launch_fill<PairWay>},
    {"fill_halves", "a sector, then the other half of its 64 bytes, then a second hash",
     &launch_fill<HalvesWay>},
    {"fill_tags", "fingerprints beside the slots", &launch_fill<TagWay>},
    {"fill_bulk", "pairs moved together by their part of the table first (ignores --block)",
     &launch_fill<BulkWay>},
};
inline constexpr Rung<Hashing> kFindRungs[] = {
    {"find_linear", "a thread per key, one slot after the other", &launch_find<LinearWay>},
    {"find_tile", "a tile of eight lanes per key reads a bucket", &launch_find<TileWay>},
    {"find_sector", "a thread per key, a bucket is a sector", &launch_find<SectorWay>},
    {"find_in_flight", "four keys per thread under way at once", &launch_find<InFlightWay>},
    {"find_pair", "buckets of two sectors, a second hash", &launch_find<PairWay>},
    {"find_halves", "a sector, then the other half of its 64 bytes, then a second hash",
     &launch_find<HalvesWay>},
    {"find_tags", "fingerprints beside the slots", &launch_find<TagWay>},
};

inline const course::families::FamilyOf<Hashing> kFill("fill", "filling of a hash table",
                                                       course::filling_choices(),
                                                       &course::make_filling, kFillRungs);
inline const course::families::FamilyOf<Hashing> kFind("find", "finds in a hash table",
                                                       course::finding_choices(),
                                                       &course::make_finding, kFindRungs);
inline const course::families::Family* const kFamilies[] = {&kFill, &kFind};
inline const course::families::Lesson kLesson{
    .name = "11_hash_table",
    .question = "How fast can a table be that everyone writes?",
    .families = kFamilies,
    .emulated_n = std::uint64_t{1} << 18};

}  // namespace lesson11
