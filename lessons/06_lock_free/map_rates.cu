// SPDX-License-Identifier: MIT
// How fast is the hash map, and how fast could it be? Inserts, finds and erases of many keys at once,
// at several load factors, in a table that lies in DRAM and in one that lies in the L2 cache. Beside
// each rate stands the limit that the memory sets: the bytes that an operation must move at least,
// at the speed of the memory's roof.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/program/experiment.cuh"
#include "common/roof.cuh"
#include "common/timing.cuh"
#include "lessons/06_lock_free/hash_map_bulk.cuh"
#include "lessons/06_lock_free/map_worker.cuh"
#include "lessons/06_lock_free/owned.cuh"

namespace {

using namespace lesson06;

constexpr unsigned kBlock = 256;
// Keys that a thread has under way at once. Measured: a find waits for memory only, so more threads do
// what more keys per thread would; an insert also waits for its CAS.
constexpr std::uint32_t kInserts = 2, kFinds = 1;
constexpr std::uint32_t kTile = 4;          // lanes of a tile
constexpr std::uint32_t kTileInFlight = 1;  // sets of kTile keys under way

// Bytes that an operation moves at least: a key is read from an array; a value is read or written;
// the slot lies anywhere, and the memory moves no less than a sector.
constexpr double kSector = 32, kKey = 4, kValue = 4;
constexpr double kFindBytes = kKey + kValue + kSector;
constexpr double kInsertBytes = kKey + kValue + 2 * kSector;  // the sector is read and written back
constexpr double kEraseBytes = kKey + 2 * kSector;

__global__ void make_keys(std::uint32_t* keys, std::uint32_t* values, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  keys[i] = key_number(static_cast<std::uint32_t>(i));
  values[i] = static_cast<std::uint32_t>(i);
}

template <class Map>
__global__ void erase_keys(Map map, const std::uint32_t* keys, std::size_t n,
                           unsigned long long* erased) {
  const Worker<Map> worker;
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x / Worker<Map>::kLanes;
  unsigned count = 0;
  for (std::size_t i = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) / Worker<Map>::kLanes;
       i < n; i += step)
    count += worker.erase(map, keys[i]) && worker.leads();
  count_up(count, erased);
}

// values[i] must be i + first for keys that are there, and dead for the others.
__global__ void count_right(const std::uint32_t* values, std::size_t n, std::uint32_t first,
                            bool there, unsigned long long* right) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::uint32_t expected = there ? first + static_cast<std::uint32_t>(i) : HashMap<>::kDead;
  count_up(i < n && values[i] == expected, right);
}

unsigned blocks(std::size_t n) { return static_cast<unsigned>((n + kBlock - 1) / kBlock); }

// A thread per key.
struct ByThread {
  using Map = HashMap<>;
  using Frozen = HashMap<FrozenMapOrders>;
  static void insert(const Map& map, const std::uint32_t* keys, const std::uint32_t* values,
                     std::size_t n, unsigned long long* inserted) {
    insert_keys<kInserts>
        <<<blocks_for<kInserts>(n, kBlock), kBlock>>>(map, keys, values, n, inserted);
  }
  template <class AnyMap>
  static void find(const AnyMap& map, const std::uint32_t* keys, std::uint32_t* values,
                   std::size_t n) {
    find_keys<kFinds><<<blocks_for<kFinds>(n, kBlock), kBlock>>>(map, keys, values, n);
  }
};
// A tile per key.
struct ByTile {
  using Map = TileHashMap<MapOrders, kTile>;
  using Frozen = TileHashMap<FrozenMapOrders, kTile>;
  static void insert(const Map& map, const std::uint32_t* keys, const std::uint32_t* values,
                     std::size_t n, unsigned long long* inserted) {
    insert_keys_tile<kTile, kTileInFlight>
        <<<blocks_for<kTileInFlight>(n, kBlock), kBlock>>>(map, keys, values, n, inserted);
  }
  template <class AnyMap>
  static void find(const AnyMap& map, const std::uint32_t* keys, std::uint32_t* values,
                   std::size_t n) {
    find_keys_tile<kTile, kTileInFlight>
        <<<blocks_for<kTileInFlight>(n, kBlock), kBlock>>>(map, keys, values, n);
  }
};

// Time and count of one launch. The L2 cache is not flushed before it: a table that fits stays there.
class Once {
 public:
  Once() : count_(1) {}
  template <class Launch>
  double us(Launch&& launch) {
    COURSE_CHECK(cudaMemset(count_.data(), 0, count_.bytes()));
    start_.record();
    launch(count_.data());
    COURSE_CHECK(cudaGetLastError());
    stop_.record();
    stop_.wait();
    return stop_.us_since(start_);
  }
  unsigned long long count() const { return count_.download()[0]; }

 private:
  course::DeviceBuffer<unsigned long long> count_;
  course::Event start_, stop_;
};

// One table size, one kind of map: filled step by step, measured at each load factor.
template <class How>
class Rates {
 public:
  Rates(std::uint32_t slots, double roof_gbps)
      : slots_(slots),
        roof_(roof_gbps),
        // The load factors go up to 0.9; behind those keys are as many that are never inserted.
        keys_(slots),
        values_(slots),
        found_(slots),
        map_(slots),
        frozen_(map_.memory(), slots) {
    make_keys<<<blocks(slots), kBlock>>>(keys_.data(), values_.data(), slots);
    COURSE_CHECK(cudaGetLastError());
  }

  bool measure(course::Table& table) {
    std::size_t filled = 0;
    double fill_us = 0;
    for (const double load : {0.5, 0.6, 0.7, 0.8, 0.9}) {
      // The step up to the load factor is what "inserts at this load factor" means.
      const auto end = static_cast<std::size_t>(load * slots_);
      const auto step = static_cast<std::size_t>(0.1 * slots_);
      fill_us += insert(filled, end - step);
      const double insert_us = insert(end - step, end);
      fill_us += insert_us;
      filled = end;
      const double hit_us = find(map_.get(), 0, end, true);
      const double miss_us = find(map_.get(), end, slots_, false);
      const double frozen_us = find(frozen_, 0, end, true);
      const double erase_us = erase(end - step, end);
      insert(end - step, end);  // the same keys come back to life
      char name[16];
      std::snprintf(name, sizeof name, "%.1f", load);
      table.rows.push_back({name,
                            {rate(end, fill_us), rate(step, insert_us), limit(kInsertBytes),
                             rate(end, hit_us), rate(end, frozen_us), rate(slots_ - end, miss_us),
                             limit(kFindBytes), rate(step, erase_us), limit(kEraseBytes)}});
    }
    return ok_;
  }

 private:
  static double rate(std::size_t n, double us) { return static_cast<double>(n) / us; }  // 10^6/s
  std::optional<double> limit(double bytes) const {
    return roof_ > 0 ? std::optional(roof_ * 1e3 / bytes) : std::nullopt;
  }
  void expect(unsigned long long got, std::size_t wanted, const char* what) {
    if (got == wanted) return;
    ok_ = false;
    std::printf("FAIL %s: %llu of %zu\n", what, got, wanted);
  }

  double insert(std::size_t from, std::size_t to) {
    if (from >= to) return 0;
    const double us = once_.us([&](unsigned long long* count) {
      How::insert(map_.get(), keys_.data() + from, values_.data() + from, to - from, count);
    });
    expect(once_.count(), to - from, "inserted");
    return us;
  }
  double erase(std::size_t from, std::size_t to) {
    const double us = once_.us([&](unsigned long long* count) {
      const std::size_t lanes = (to - from) * Worker<typename How::Map>::kLanes;
      erase_keys<<<blocks(lanes), kBlock>>>(map_.get(), keys_.data() + from, to - from, count);
    });
    expect(once_.count(), to - from, "erased");
    return us;
  }
  template <class AnyMap>
  double find(const AnyMap& map, std::size_t from, std::size_t to, bool there) {
    std::vector<double> samples;
    for (int i = 0; i < kSamples; ++i)
      samples.push_back(once_.us([&](unsigned long long*) {
        How::find(map, keys_.data() + from, found_.data(), to - from);
      }));
    const double us = course::summarise(std::move(samples)).median_us;
    once_.us([&](unsigned long long* count) {
      count_right<<<blocks(to - from), kBlock>>>(found_.data(), to - from,
                                                 static_cast<std::uint32_t>(from), there, count);
    });
    expect(once_.count(), to - from, there ? "found" : "missed");
    return us;
  }

  static constexpr int kSamples = 5;
  std::uint32_t slots_;
  double roof_;
  course::DeviceBuffer<std::uint32_t> keys_, values_, found_;
  Owned<typename How::Map> map_;
  typename How::Frozen frozen_;  // the same slots, for kernels that change none
  Once once_;
  bool ok_ = true;
};

}  // namespace

int main(int argc, char** argv) {
  course::ExperimentInfo info{"06_lock_free", "map_rates",
                              "Rates of the hash map beside the limit of the memory."};
  info.flushes = course::Flushes::Never;
  return course::run_experiment(info, argc, argv, [](course::Experiment& e) {
    course::Stopwatch watch(e.device);
    const double roof = course::measure_roof(e.device, watch).gbps();
    std::printf(
        "roof: %.0f GB/s. Bytes at least: %.0f for a find, %.0f for an insert, %.0f "
        "for an erase\n",
        roof, kFindBytes, kInsertBytes, kEraseBytes);
    bool ok = true;
    const auto measure = [&](auto rates, const char* id, const std::string& title) {
      course::Table table{id,
                          title,
                          "million/s",
                          {"load factor", "fill from empty", "insert", "limit", "find",
                           "find, frozen", "find, not there", "limit", "erase", "limit"}};
      ok &= rates->measure(table);
      e.add(std::move(table));
    };
    const std::uint32_t large = e.device.small ? 1u << 14 : 1u << 27;
    // A quarter of the L2 cache for the slots; the keys and values take as much again.
    const std::uint32_t small =
        e.device.small ? 1u << 12 : static_cast<std::uint32_t>(e.device.l2_bytes) / 32;
    const auto size = [](const char* what, std::uint32_t slots) {
      return std::string(what) + ", " + course::format_size(slots) + " slots";
    };
    measure(std::make_unique<Rates<ByThread>>(large, roof), "dram_thread",
            size("A thread per key, table in DRAM", large));
    measure(std::make_unique<Rates<ByTile>>(large, roof), "dram_tile",
            size("A tile of 4 lanes per key, table in DRAM", large));
    // What the L2 cache could do is not known: no limit.
    measure(std::make_unique<Rates<ByThread>>(small, 0), "l2_thread",
            size("A thread per key, table in L2", small));
    measure(std::make_unique<Rates<ByTile>>(small, 0), "l2_tile",
            size("A tile of 4 lanes per key, table in L2", small));
    return ok;
  });
}
