// SPDX-License-Identifier: MIT
// Rates of every table over the load factor and over the size of the table, from the L2 cache to DRAM.
// Fills start from an empty table; the clearing is not timed. Program 11_hash_table.curves.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "common/device_buffer.cuh"
#include "common/program/experiment.cuh"
#include "common/size.hpp"
#include "common/timing.cuh"
#include "lessons/11_hash_table/hash_table.cuh"

// Its own namespace: the programs of a lesson are compiled as one file.
namespace lesson11::curves {
namespace {

using course::DeviceBuffer;

// Key number i: different for every i, none that a table refuses (below 2^31).
__device__ std::uint32_t key_number(std::uint32_t i) {
  constexpr std::uint32_t kMask = 0x7fffffff;
  std::uint32_t x = i & kMask;
  x = (x ^ x >> 15) * 0x2c1b3c6du & kMask;
  x = (x ^ x >> 12) * 0x297a2d39u & kMask;
  return x ^ x >> 15;
}
__global__ void make_pairs(std::uint32_t* keys, std::uint32_t* values, std::size_t n) {
  const std::size_t i = thread_number();
  if (i >= n) return;
  keys[i] = key_number(static_cast<std::uint32_t>(i));
  values[i] = static_cast<std::uint32_t>(i);
}
// The keys from `first` on have the values from there on, or none.
__global__ void count_right(const std::uint32_t* found, std::size_t n, std::size_t first,
                            bool there, unsigned* right) {
  const std::size_t i = thread_number();
  const bool mine = i < n && found[i] == (there ? static_cast<std::uint32_t>(first + i) : kMissing);
  const unsigned who = __ballot_sync(0xffffffff, mine);
  if (threadIdx.x % 32 == 0 && who != 0) atomicAdd(right, __popc(who));
}

// One size: the memory for all tables, one after the other.
class Size {
 public:
  Size(const course::Device& device, std::uint32_t slots)
      : device_(device),
        capacity_(slots),
        keys_(2 * std::size_t{slots}),
        values_(2 * std::size_t{slots}),
        found_(slots),
        slots_(slots),
        tags_(slots / 8),
        pairs_(slots),
        words_(course::kHashWords),
        counts_(2) {
    make_pairs<<<blocks_for(keys_.size(), 256), 256>>>(keys_.data(), values_.data(), keys_.size());
    COURSE_CHECK(cudaGetLastError());
  }
  struct Rates {
    double fill = 0, hit = 0, miss = 0;  // million/s
  };
  template <class Way>
  Rates measure(double load, bool& ok) {
    const auto n = static_cast<std::size_t>(load * capacity_);
    Hashing h = task(n);
    COURSE_CHECK(cudaMemset(counts_.data(), 0, counts_.bytes()));
    Rates rates;
    const auto table = Way::make(h);
    rates.fill = n / time([&] { Way::clear(h); }, [&] { Way::fill(table, h); });
    const auto find = [&] { Way::find(table.frozen(), h); };
    rates.hit = n / time([] {}, find);
    check(n, 0, true, ok);
    h.queries = keys_.data() + n;
    rates.miss = n / time([] {}, find);
    check(n, n, false, ok);
    if (counts_.download()[0] != 0) ok = false, std::printf("FAIL pairs found no slot\n");
    return rates;
  }

 private:
  Hashing task(std::size_t n) {
    Hashing h;
    h.keys = keys_.data(), h.values = values_.data(), h.n = n;
    h.slots = slots_.data(), h.capacity = capacity_, h.tags = tags_.data();
    h.pairs = pairs_.data(), h.words = words_.data(), h.full = counts_.data();
    h.queries = keys_.data(), h.found = found_.data(), h.device = &device_;
    return h;
  }
  // The median of some launches, after one that does not count; `before` each of them is not timed.
  template <class Before, class Launch>
  double time(Before&& before, Launch&& launch) {
    std::vector<double> us;
    const int count = device_.small ? 1 : 6;
    for (int i = 0; i < count; ++i) {
      before();
      start_.record();
      launch();
      COURSE_CHECK(cudaGetLastError());
      stop_.record();
      stop_.wait();
      us.push_back(stop_.us_since(start_));
    }
    if (count > 1) us.erase(us.begin());
    std::nth_element(us.begin(), us.begin() + us.size() / 2, us.end());
    return us[us.size() / 2];
  }
  void check(std::size_t n, std::size_t first, bool there, bool& ok) {
    COURSE_CHECK(cudaMemset(counts_.data() + 1, 0, sizeof(unsigned)));
    count_right<<<blocks_for(n, 256), 256>>>(found_.data(), n, first, there, counts_.data() + 1);
    const unsigned right = counts_.download()[1];
    if (right == n) return;
    ok = false;
    std::printf("FAIL %u of %zu answers are right\n", right, n);
  }
  const course::Device& device_;
  std::uint32_t capacity_;
  DeviceBuffer<std::uint32_t> keys_, values_, found_;
  DeviceBuffer<Word> slots_, tags_, pairs_;
  DeviceBuffer<unsigned> words_, counts_;
  course::Event start_, stop_;
};

struct Column {
  const char* name;
  Size::Rates (Size::*measure)(double, bool&);
};
const Column kColumns[] = {
    {"linear", &Size::measure<LinearWay>},
    {"tile of 4", &Size::measure<ByTiles<TileTable<4>>>},
    {"tile of 8", &Size::measure<TileWay>},
    {"tile of 16", &Size::measure<ByTiles<TileTable<16>>>},
    {"tile of 32", &Size::measure<ByTiles<TileTable<32>>>},
    {"sector", &Size::measure<SectorWay>},
    {"in flight", &Size::measure<InFlightWay>},
    {"pair", &Size::measure<PairWay>},
    {"halves", &Size::measure<HalvesWay>},
    {"tags", &Size::measure<TagWay>},
    {"bulk", &Size::measure<BulkWay>},
};

struct Three {
  course::Table fill, hit, miss;
  Three(const std::string& id, const std::string& over, const char* first) {
    const auto table = [&](const char* what, const char* title) {
      course::Table made{id + "_" + what, std::string(title) + ", " + over, "million/s", {first}};
      for (const Column& column : kColumns) made.columns.emplace_back(column.name);
      return made;
    };
    fill = table("fill", "Filling from empty");
    hit = table("hit", "Finding keys that are there");
    miss = table("miss", "Looking for keys that are not there");
  }
  void add(Size& size, double load, const std::string& name, bool& ok) {
    course::TableRow rows[3] = {{name, {}}, {name, {}}, {name, {}}};
    for (const Column& column : kColumns) {
      const Size::Rates rates = (size.*column.measure)(load, ok);
      rows[0].values.push_back(rates.fill), rows[1].values.push_back(rates.hit),
          rows[2].values.push_back(rates.miss);
    }
    fill.rows.push_back(rows[0]), hit.rows.push_back(rows[1]), miss.rows.push_back(rows[2]);
  }
  void to(course::Experiment& e) { e.add(fill), e.add(hit), e.add(miss); }
};

bool run(course::Experiment& e) {
  bool ok = true;
  const std::uint32_t large = e.device.small ? 1u << 14 : 1u << 27;
  {
    Three over_load("load", "by load factor, " + course::format_size(large) + " slots",
                    "load factor");
    Size size(e.device, large);
    for (const double load : {0.3, 0.5, 0.7, 0.8, 0.9, 0.95}) {
      char name[16];
      std::snprintf(name, sizeof name, "%.2f", load);
      over_load.add(size, load, name, ok);
    }
    over_load.to(e);
  }
  Three over_size("size", "by the number of slots, load factor 0.8", "slots");
  for (std::uint32_t slots = e.device.small ? 1u << 12 : 1u << 18; slots <= large;
       slots *= e.device.small ? 4 : 8)
    over_size.add(*std::make_unique<Size>(e.device, slots), 0.8, course::format_size(slots), ok);
  over_size.to(e);
  return ok;
}

}  // namespace
}  // namespace lesson11::curves

int main(int argc, char** argv) {
  course::ExperimentInfo info{"11_hash_table", "curves",
                              "Rates over the load factor and the size of the table."};
  info.flushes = course::Flushes::Never;
  return course::run_experiment(info, argc, argv, lesson11::curves::run);
}
