// SPDX-License-Identifier: MIT
// When does it pay? Operations per second of every structure, beside its twins behind a lock and
// beside one atomic counter: over the number of threads that use one structure, over mixes of
// operations, and over the number of elements in it. Everything that is timed is checked.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/program/experiment.cuh"
#include "lessons/06_lock_free/linked_queue.cuh"
#include "lessons/06_lock_free/locked.cuh"
#include "lessons/06_lock_free/map_trial.cuh"
#include "lessons/06_lock_free/ring_queue.cuh"
#include "lessons/06_lock_free/stack.cuh"
#include "lessons/06_lock_free/trial.cuh"

namespace {

using namespace lesson06;

// A structure of a table: a column.
template <class Load>
struct Column {
  const char* id;
  Trial (*run)(const Load&, const Pace&);
  bool locked = false;
};
template <class S>
Trial run_container(const Load& load, const Pace& pace) {
  return Bench<S>(load, pace).run();
}
template <class S>
Trial run_map(const MapLoad& load, const Pace& pace) {
  // A tile is no fewer than its lanes: with less there is nothing to measure.
  if (load.threads < Worker<S>::kLanes) return {};
  return MapBench<S>(load, pace).run();
}
// A map does no less than count.
Trial count_instead(const MapLoad& load, const Pace& pace) {
  Load counting{load.threads, kHalf};
  counting.block = load.block;
  return Bench<Counter>(counting, pace).run();
}

template <class Sequential>
using Tas = WarpLocked<TestAndSetLock<>, Sequential>;
template <class Sequential>
using Backoff = WarpLocked<BackoffLock<>, Sequential>;
template <class Sequential>
using Tickets = WarpLocked<TicketLock<>, Sequential>;

constexpr Column<Load> kStacks[] = {
    {"counter", &run_container<Counter>},
    {"stack_versioned", &run_container<Stack<>>},
    {"stack_warp", &run_container<WarpStack<>>},
    {"locked_tas", &run_container<Tas<SequentialStack>>, true},
    {"locked_backoff", &run_container<Backoff<SequentialStack>>, true},
    {"locked_ticket", &run_container<Tickets<SequentialStack>>, true},
};
constexpr Column<Load> kQueues[] = {
    {"counter", &run_container<Counter>},
    {"queue_linked", &run_container<LinkedQueue<>>},
    {"queue_ring", &run_container<RingQueue<>>},
    {"queue_ring_warp", &run_container<WarpRingQueue<>>},
    {"queue_ring_word", &run_container<WarpRingQueue<RingOrders, WordSlot>>},
    {"locked_tas", &run_container<Tas<SequentialRing>>, true},
    {"locked_backoff", &run_container<Backoff<SequentialRing>>, true},
    {"locked_ticket", &run_container<Tickets<SequentialRing>>, true},
};
constexpr Column<MapLoad> kMaps[] = {
    {"counter", &count_instead},
    {"map_thread", &run_map<HashMap<>>},
    {"map_tile", &run_map<TileHashMap<>>},
    {"locked_tas", &run_map<Tas<SequentialMap>>, true},
    {"locked_backoff", &run_map<Backoff<SequentialMap>>, true},
    {"locked_ticket", &run_map<Tickets<SequentialMap>>, true},
};

// A lock, or a word that all exchange, gets slower with every thread that waits for it, and each must
// have its turn once at least. How long a launch will take is guessed from how the time of an
// operation grew so far; one that would take too long is left out.
class Forecast {
 public:
  bool too_long(std::uint32_t threads, double operations_each) const {
    if (threads_ == 0) return false;
    const double growth = std::clamp(slope_, 0.0, 1.5) + 0.25;  // a little worse than so far
    const double each = us_ * std::pow(threads / threads_, growth);
    return each * operations_each * threads > kMostUs;
  }
  void learn(std::uint32_t threads, const Trial& trial) {
    if (trial.operations <= 0) return;
    const double us = trial.timing.median_us / trial.operations;
    if (threads_ > 0) slope_ = std::log(us / us_) / std::log(threads / threads_);
    threads_ = threads, us_ = us;
  }

 private:
  static constexpr double kMostUs = 1.5e6;
  double threads_ = 0, us_ = 0, slope_ = 0;
};

class Curves {
 public:
  explicit Curves(course::Experiment& experiment)
      : experiment_(experiment), pace_(pace_for(experiment.device)) {
    const course::Device& device = experiment.device;
    if (device.small) {
      threads_ = {1, 32, 128};
    } else {
      threads_ = {1, 32, 256, 2048, 16384, 65536};
      const auto all = static_cast<std::uint32_t>(device.multiprocessors) * 2048;
      std::erase_if(threads_, [&](std::uint32_t t) { return t >= all; });
      threads_.push_back(all);
    }
  }
  const course::Device& device() const { return experiment_.device; }
  bool ok() const { return ok_; }

  // A row for each number of threads, a column for each structure.
  template <class Load>
  void over_threads(const std::string& id, const std::string& title,
                    std::span<const Column<Load>> columns, Load load, double operations_each) {
    course::Table table = heading(id, title, "threads", columns);
    std::vector<Forecast> forecasts(columns.size());
    for (const std::uint32_t threads : threads_) {
      course::TableRow row{std::to_string(threads), {}};
      for (std::size_t i = 0; i < columns.size(); ++i) {
        load.threads = threads;
        if (forecasts[i].too_long(threads, operations_each)) {
          row.values.push_back(std::nullopt);
          continue;
        }
        const Trial trial = columns[i].run(load, pace_);
        forecasts[i].learn(threads, trial);
        row.values.push_back(judged(columns[i].id, table, threads, trial));
      }
      table.rows.push_back(std::move(row));
    }
    experiment_.add(std::move(table));
  }

  // A row for each number of elements. Of the locks one is enough here, and not with very many
  // elements: before the clock starts they go in through the lock.
  template <class Load>
  void over_elements(const std::string& id, const std::string& title,
                     std::span<const Column<Load>> columns, Load load,
                     std::uint32_t Load::*elements, const std::vector<std::uint32_t>& counts) {
    std::vector<Column<Load>> some;
    for (const auto& column : columns)
      if (!column.locked || column.id == std::string("locked_backoff")) some.push_back(column);
    course::Table table = heading<Load>(id, title, "elements", some);
    load.threads = device().small ? 64 : 2048;
    table.title += ", " + std::to_string(load.threads) + " threads";
    for (const std::uint32_t count : counts) {
      course::TableRow row{std::to_string(count), {}};
      load.*elements = count;
      for (const auto& column : some)
        row.values.push_back(column.locked && count > kMostLocked
                                 ? std::nullopt
                                 : judged(column.id, table, count, column.run(load, pace_)));
      table.rows.push_back(std::move(row));
    }
    experiment_.add(std::move(table));
  }

 private:
  template <class Load>
  static course::Table heading(const std::string& id, const std::string& title, const char* rows,
                               std::span<const Column<Load>> columns) {
    course::Table table{id, title, "million operations/s", {rows}};
    for (const auto& column : columns) table.columns.emplace_back(column.id);
    return table;
  }
  std::optional<double> judged(const char* id, const course::Table& table, std::uint32_t row,
                               const Trial& trial) {
    const Findings& f = trial.findings;
    if (!f.ok()) {
      ok_ = false;
      std::printf("FAIL %s in %s, %u: %llu lost, %llu twice, %llu invented, %llu refused\n", id,
                  table.id.c_str(), row, static_cast<unsigned long long>(f.lost),
                  static_cast<unsigned long long>(f.twice),
                  static_cast<unsigned long long>(f.invented),
                  static_cast<unsigned long long>(f.stuck));
      return std::nullopt;
    }
    return trial.operations > 0 ? std::optional(trial.per_second() / 1e6) : std::nullopt;
  }

  static constexpr std::uint32_t kMostLocked = 1u << 17;
  course::Experiment& experiment_;
  Pace pace_;
  std::vector<std::uint32_t> threads_;
  bool ok_ = true;
};

void measure_containers(Curves& curves, const std::string& family,
                        std::span<const Column<Load>> columns) {
  const struct {
    const char* id;
    Mix mix;
  } mixes[] = {{"push", kPushOnly}, {"half", kHalf}, {"bursts", kBursts}};
  for (const auto& [id, mix] : mixes)
    curves.over_threads<Load>(family + "_" + id, "One " + family + ", " + mix.name, columns,
                              {1, mix}, mix.operations());
  std::vector<std::uint32_t> counts = {0, 1u << 8, 1u << 12, 1u << 16, 1u << 18};
  if (curves.device().small) counts = {0, 256};
  curves.over_elements<Load>(family + "_elements",
                             "One " + family + " with elements in it, half and half", columns,
                             {1, kHalf}, &Load::elements, counts);
}

void measure_maps(Curves& curves) {
  const bool small = curves.device().small;
  const struct {
    const char* id;
    const char* name;
    MapMix mix;
    double operations;
  } mixes[] = {{"insert", "insert only", MapMix::Insert, 1},
               {"find", "find only", MapMix::Find, 1},
               {"mixed", "insert, find, erase", MapMix::Mixed, 3}};
  for (const auto& m : mixes) {
    MapLoad load{1, m.mix};
    load.keys = small ? 256 : 1u << 16;
    curves.over_threads<MapLoad>(std::string("map_") + m.id, std::string("One map, ") + m.name,
                                 kMaps, load, m.operations);
  }
  std::vector<std::uint32_t> counts = {1u << 11, 1u << 14, 1u << 17, 1u << 20, 1u << 23};
  if (small) counts = {64, 256};
  curves.over_elements<MapLoad>("map_elements", "One map with keys in it, find only", kMaps,
                                {1, MapMix::Find}, &MapLoad::keys, counts);
}

}  // namespace

int main(int argc, char** argv) {
  course::ExperimentInfo info{"06_lock_free", "contention",
                              "Operations per second over threads, mixes and elements."};
  info.flushes = course::Flushes::Never;
  return course::run_experiment(info, argc, argv, [](course::Experiment& e) {
    Curves curves(e);
    measure_containers(curves, "stack", kStacks);
    measure_containers(curves, "queue", kQueues);
    measure_maps(curves);
    return curves.ok();
  });
}
