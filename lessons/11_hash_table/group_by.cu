// SPDX-License-Identifier: MIT
// Sums by key: insert_or_add for each element, the same after lanes with equal keys have become one, and the
// way by sorting. Program 11_hash_table.group_by.
#include "common/irregular/cub_group.hpp"
#include "lessons/11_hash_table/many.cuh"
#include "lessons/11_hash_table/table.cuh"
#include "lessons/11_hash_table/tile_table.cuh"
#include "lessons/11_hash_table/uses.cuh"

// Its own namespace: the programs of a lesson are compiled as one file.
namespace lesson11::group_by {
namespace {

using GroupTable = Table<4>;
constexpr unsigned kBlock = 256;

// All lanes stay to the end: add_up_equal_keys() needs the whole warp.
__global__ void add_by_warp(GroupTable table, const std::uint32_t* keys,
                            const std::uint32_t* values, std::size_t n, unsigned* full) {
  const std::size_t i = thread_number();
  const std::uint32_t key = i < n ? keys[i] : kNoKey;
  std::uint32_t sum = i < n ? values[i] : 0;
  if (add_up_equal_keys(0xffffffff, key, sum) && table.insert_or_add(key, sum) == Outcome::Full)
    atomicAdd(full, 1u);
}
__global__ void to_words(const std::uint32_t* keys, const std::uint32_t* values, std::size_t n,
                         Word* words) {
  const std::size_t i = thread_number();
  if (i < n) words[i] = Word{keys[i]} << 32 | values[i];
}

// Two groups may have the same key; then they are one.
std::uint32_t key_of_group(std::uint32_t group) { return mix(group) >> 1; }

Sums sums_in(const std::vector<Word>& slots) {
  Sums all;
  for (const Word word : slots)
    if (!refused(key_of(word))) all.emplace_back(key_of(word), value_of(word));
  return all;
}

class GroupBy {
 public:
  GroupBy(std::size_t n, std::uint32_t groups, bool skewed)
      : n_(n),
        capacity_(std::max(4u, groups * 2)),
        keys_(n),
        values_(n),
        slots_(GroupTable::slots(capacity_)),
        words_(n),
        sorted_(n),
        out_keys_(n),
        out_sums_(n),
        count_(1),
        full_(std::vector<unsigned>(1)) {
    std::vector<std::uint32_t> keys(n), values(n), group(n);
    course::for_each_piece(n, [&](std::size_t, std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        group[i] = drawn(5, i, groups, skewed);
        keys[i] = key_of_group(group[i]);
        values[i] = static_cast<std::uint32_t>(i % 100);
      }
    });
    keys_.upload(keys), values_.upload(values);
    std::vector<unsigned long long> sums(groups), members(groups);
    for (std::size_t i = 0; i < n; ++i) sums[group[i]] += values[i], ++members[group[i]];
    for (std::uint32_t g = 0; g < groups; ++g)
      if (members[g] > 0) truth_.emplace_back(key_of_group(g), sums[g]);
    truth_ = added_up(std::move(truth_));
  }
  course::TableRow measure(course::Experiment& e, const char* name, bool& ok) {
    course::Stopwatch watch(e.device, e.flush);
    const GroupTable table(slots_.data(), capacity_);
    const unsigned blocks = blocks_for(n_, kBlock);
    const auto clear = [&] { COURSE_CHECK(cudaMemsetAsync(slots_.data(), 0xff, slots_.bytes())); };
    const double each = rate(watch, n_, [&] {
      clear();
      put_each<true><<<blocks, kBlock>>>(table, keys_.data(), values_.data(), n_, full_.data());
    });
    ok &= agree(sums_in(slots_.download()), truth_, "insert_or_add");
    const double by_warp = rate(watch, n_, [&] {
      clear();
      add_by_warp<<<blocks, kBlock>>>(table, keys_.data(), values_.data(), n_, full_.data());
    });
    ok &= agree(sums_in(slots_.download()), truth_, "insert_or_add by warp");
    course::CubCall sort = course::cub_sort(words_.data(), n_, 32, sorted_.data());
    course::CubCall group = course::cub_group(sorted_.data(), n_, 32,
                                              {out_keys_.data(), out_sums_.data(), count_.data()});
    const double by_sorting = rate(watch, n_, [&] {
      to_words<<<blocks, kBlock>>>(keys_.data(), values_.data(), n_, words_.data());
      sort();
      group();
    });
    ok &= agree(groups_of(out_keys_, out_sums_, count_.download()[0]), truth_, "sorting");
    if (full_.download()[0] != 0) ok = false;
    return {name, {each, by_warp, by_sorting}};
  }

 private:
  std::size_t n_;
  std::uint32_t capacity_;
  DeviceBuffer<std::uint32_t> keys_, values_;
  DeviceBuffer<Word> slots_, words_, sorted_, out_keys_, out_sums_;
  DeviceBuffer<unsigned> count_, full_;
  Sums truth_;
};

bool run(course::Experiment& e) {
  const std::size_t n = e.device.small ? 1u << 14 : 1u << 26;
  course::Table table{"sums",
                      "Sums by key",
                      "million/s",
                      {"groups", "a table", "a table, by warp", "sort and reduce"}};
  bool ok = true;
  const struct {
    std::uint32_t groups;
    bool skewed;
    const char* name;
  } kinds[] = {{1, false, "1"},
               {32, false, "32"},
               {1024, false, "1024"},
               {1024, true, "1024, some frequent"},
               {static_cast<std::uint32_t>(n / 8), false, "n / 8"}};
  for (const auto& kind : kinds)
    table.rows.push_back(GroupBy(n, kind.groups, kind.skewed).measure(e, kind.name, ok));
  e.add(std::move(table));
  return ok;
}

}  // namespace
}  // namespace lesson11::group_by

int main(int argc, char** argv) {
  return course::run_experiment(
      {"11_hash_table", "group_by", "Sums by key: a hash table beside sorting."}, argc, argv,
      lesson11::group_by::run);
}
