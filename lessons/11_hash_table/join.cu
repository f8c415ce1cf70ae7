// SPDX-License-Identifier: MIT
// Which rows of two tables have the same key? The smaller one goes into a hash table, the rows of the
// larger look theirs up. Beside it the way by sorting: the smaller is sorted, the others search by halves.
// Program 11_hash_table.join.

#include <algorithm>
#include <string>
#include <vector>

#include "common/irregular/cub_group.hpp"
#include "lessons/11_hash_table/many.cuh"
#include "lessons/11_hash_table/table.cuh"
#include "lessons/11_hash_table/uses.cuh"

// Its own namespace: the programs of a lesson are compiled as one file.
namespace lesson11::join {
namespace {

using JoinTable = Table<8, SecondChoice>;
constexpr unsigned kBlock = 256;

// Another key for each number below 2^31, none that a table refuses.
std::uint32_t different_key(std::uint32_t number) {
  const std::uint32_t key = mix(number);
  return refused(key) ? mix(number | 1u << 31) : key;
}

// A row of the result for each that has a partner: where it goes is one addition for each warp.
__global__ void probe_rows(JoinTable::Frozen table, const std::uint32_t* keys, std::size_t n,
                           unsigned* count, uint2* out) {
  const std::size_t i = thread_number();
  std::uint32_t value = 0;
  const bool found = i < n && table.find(keys[i], value);
  const unsigned who = __ballot_sync(0xffffffff, found), lane = threadIdx.x % 32;
  unsigned first = 0;
  if (lane == 0 && who != 0) first = atomicAdd(count, __popc(who));
  first = __shfl_sync(0xffffffff, first, 0);
  if (found) out[first + __popc(who & ((1u << lane) - 1))] = {static_cast<unsigned>(i), value};
}
__global__ void search_rows(const Word* sorted, std::size_t size, const std::uint32_t* keys,
                            std::size_t n, unsigned* count, uint2* out) {
  const std::size_t i = thread_number();
  std::size_t low = 0;
  if (i < n)
    for (std::size_t left = size; left > 0;) {
      const std::size_t half = left / 2;
      const bool before = static_cast<std::uint32_t>(sorted[low + half] >> 32) < keys[i];
      low = before ? low + half + 1 : low;
      left = before ? left - half - 1 : half;
    }
  const bool found = i < n && low < size && sorted[low] >> 32 == keys[i];
  const unsigned who = __ballot_sync(0xffffffff, found), lane = threadIdx.x % 32;
  unsigned first = 0;
  if (lane == 0 && who != 0) first = atomicAdd(count, __popc(who));
  first = __shfl_sync(0xffffffff, first, 0);
  if (found)
    out[first + __popc(who & ((1u << lane) - 1))] = {static_cast<unsigned>(i),
                                                     static_cast<unsigned>(sorted[low])};
}

class Join {
 public:
  // Every second row of the larger table has a partner.
  Join(std::size_t small, std::size_t large)
      : small_(small),
        large_(large),
        capacity_(static_cast<std::uint32_t>(small * 5 / 4 + 8) / 8 * 8),
        keys_(small),
        values_(small),
        asked_(large),
        slots_(JoinTable::slots(capacity_)),
        words_(small),
        sorted_(small),
        out_(large),
        count_(1),
        full_(std::vector<unsigned>(1)) {
    std::vector<std::uint32_t> keys(small), values(small), asked(large);
    std::vector<Word> words(small);
    for (std::size_t i = 0; i < small; ++i) {
      keys[i] = different_key(static_cast<std::uint32_t>(i));
      values[i] = static_cast<std::uint32_t>(i);
      words[i] = Word{keys[i]} << 32 | values[i];
    }
    keys_.upload(keys), values_.upload(values), words_.upload(words);
    course::sort_on_all_cores(words);
    constexpr std::uint32_t kAlone = ~0u;
    std::vector<std::uint32_t> partner(large, kAlone);
    course::for_each_piece(large, [&](std::size_t, std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const std::uint64_t bits = course::random_bits(9, i);
        const auto other = static_cast<std::uint32_t>(small + (bits >> 33));
        asked[i] = bits % 2 == 0 ? keys[(bits >> 32) % small] : different_key(other);
        const auto at = std::lower_bound(words.begin(), words.end(), Word{asked[i]} << 32);
        if (at != words.end() && *at >> 32 == asked[i])
          partner[i] = static_cast<std::uint32_t>(*at);
      }
    });
    for (std::size_t i = 0; i < large; ++i)
      if (partner[i] != kAlone) truth_.emplace_back(i, partner[i]);
    asked_.upload(asked);
  }
  course::TableRow measure(course::Experiment& e, const std::string& name, bool& ok) {
    course::Stopwatch watch(e.device, e.flush);
    const JoinTable table(slots_.data(), capacity_);
    const unsigned blocks = blocks_for(large_, kBlock);
    const double by_table = rate(watch, small_ + large_, [&] {
      COURSE_CHECK(cudaMemsetAsync(slots_.data(), 0xff, slots_.bytes()));
      COURSE_CHECK(cudaMemsetAsync(count_.data(), 0, count_.bytes()));
      put_several<false, 2><<<blocks_for(small_, 2 * kBlock), kBlock>>>(
          table, keys_.data(), values_.data(), small_, full_.data());
      probe_rows<<<blocks, kBlock>>>(table.frozen(), asked_.data(), large_, count_.data(),
                                     out_.data());
    });
    ok &= agree(rows(), truth_, "joined by a table");
    course::CubCall sort = course::cub_sort(words_.data(), small_, 32, sorted_.data());
    const double by_sorting = rate(watch, small_ + large_, [&] {
      COURSE_CHECK(cudaMemsetAsync(count_.data(), 0, count_.bytes()));
      sort();
      search_rows<<<blocks, kBlock>>>(sorted_.data(), small_, asked_.data(), large_, count_.data(),
                                      out_.data());
    });
    ok &= agree(rows(), truth_, "joined by sorting");
    if (full_.download()[0] != 0) ok = false;
    return {name, {by_table, by_sorting}};
  }

 private:
  Sums rows() const {
    Sums got;
    for (const uint2& row : out_.download(count_.download()[0])) got.emplace_back(row.x, row.y);
    return got;
  }
  std::size_t small_, large_;
  std::uint32_t capacity_;
  DeviceBuffer<std::uint32_t> keys_, values_, asked_;
  DeviceBuffer<Word> slots_, words_, sorted_;
  DeviceBuffer<uint2> out_;
  DeviceBuffer<unsigned> count_, full_;
  Sums truth_;
};

bool run(course::Experiment& e) {
  const std::size_t large = e.device.small ? 1u << 14 : 1u << 26;
  course::Table table{"joins",
                      "Join of two tables, rows of both",
                      "million/s",
                      {"smaller table", "a table", "sort and search"}};
  bool ok = true;
  for (const std::size_t share : {1, 4, 64, 1024}) {
    const std::string name = share == 1 ? "as large" : "1/" + std::to_string(share) + " as large";
    table.rows.push_back(Join(large / share, large).measure(e, name, ok));
  }
  e.add(std::move(table));
  return ok;
}

}  // namespace
}  // namespace lesson11::join

int main(int argc, char** argv) {
  return course::run_experiment(
      {"11_hash_table", "join", "Join of two tables: a hash table beside sorting."}, argc, argv,
      lesson11::join::run);
}
