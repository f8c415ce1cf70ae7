// SPDX-License-Identifier: MIT
// Nothing lost, nothing twice, nothing invented, and every producer's order kept: a billion
// operations of each structure on a GPU. First one instance that thousands of threads fight for; then
// many instances side by side, each used by the threads of one block, with twice as many blocks as
// the GPU holds.
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "common/program/experiment.cuh"
#include "lessons/06_lock_free/exercise.cuh"
#include "lessons/06_lock_free/linked_queue.cuh"
#include "lessons/06_lock_free/map_exercise.cuh"
#include "lessons/06_lock_free/ring_queue.cuh"
#include "lessons/06_lock_free/stack.cuh"

namespace {

using namespace lesson06;
using course::structures::Findings;

struct Soaked {
  Findings findings;
  std::uint64_t full = 0, empty = 0;  // answers, and right ones: they are not counted as operations
};

void add(const Exercised& e, Soaked& soaked) {
  soaked.findings += e.findings;
  soaked.full += e.account.full;
  soaked.empty += e.account.empty;
}

// Until `operations` pushes and pops have succeeded, a different seed each time.
template <class S, bool kFifo>
Soaked soak(const course::Device& device, std::uint64_t operations) {
  const bool small = device.small;
  Soaked soaked;
  Exercise crowd;
  crowd.threads = small ? 256 : static_cast<std::uint32_t>(device.multiprocessors) * 64;
  crowd.per_thread = small ? 2 : 8;
  crowd.capacity = small ? 50 : 1000;  // far fewer than threads, and no power of two
  add(exercise<S>(crowd, kFifo), soaked);

  Exercise many;
  many.instances = small ? 3 : static_cast<std::uint32_t>(device.multiprocessors) * 16;
  many.threads = small ? 64 : 256;
  many.per_thread = small ? 8 : 512;
  many.burst = 6;
  many.block = many.threads;
  for (std::uint32_t seed = 1; soaked.findings.operations < operations; ++seed) {
    many.seed = seed;
    constexpr std::uint32_t kCapacities[] = {1000, 64, 4096, 257, 7};
    many.capacity = kCapacities[seed % 5];
    add(exercise<S>(many, kFifo), soaked);
    if (!soaked.findings.ok()) break;  // that is enough
  }
  return soaked;
}

template <class Map>
Soaked soak_map(const course::Device& device, std::uint64_t operations) {
  const bool small = device.small;
  Soaked soaked;
  MapExercise e;
  e.threads = small ? 256 : static_cast<std::uint32_t>(device.multiprocessors) * 2048 * 2;
  e.per_worker = small ? 8 : 512;
  for (e.seed = 1; soaked.findings.operations < operations; ++e.seed) {
    const struct {
      std::uint32_t keys, capacity;
    } shapes[] = {{1000, 1000}, {1u << 16, 100'000}, {5000, 4000}, {32, 33}};
    e.keys = small ? 100 : shapes[e.seed % 4].keys;
    e.capacity = small ? 150 : shapes[e.seed % 4].capacity;
    soaked.findings += exercise<Map>(e);
    if (!soaked.findings.ok()) break;
  }
  return soaked;
}

struct Structure {
  const char* id;
  Soaked (*soak)(const course::Device&, std::uint64_t);
};
constexpr Structure kStructures[] = {
    {"stack_versioned", &soak<Stack<>, false>},
    {"stack_warp", &soak<WarpStack<>, false>},
    {"queue_linked", &soak<LinkedQueue<>, true>},
    {"queue_ring", &soak<RingQueue<>, true>},
    {"queue_ring_warp", &soak<WarpRingQueue<>, true>},
    {"queue_ring_word", &soak<WarpRingQueue<RingOrders, WordSlot>, true>},
    {"map_thread", &soak_map<HashMap<>>},
    {"map_tile", &soak_map<TileHashMap<>>},
};

}  // namespace

int main(int argc, char** argv) {
  course::ExperimentInfo info{"06_lock_free", "soak",
                              "A billion checked operations of each structure."};
  info.takes_n = true;
  info.flushes = course::Flushes::Never;
  return course::run_experiment(info, argc, argv, [](course::Experiment& e) {
    const std::uint64_t operations = e.n.value_or(e.device.small ? 5000 : 1'000'000'000);
    course::Table table{"checked",
                        "Operations checked, and what was wrong with them",
                        "",
                        {"structure", "operations", "lost", "twice", "invented", "out of order",
                         "stuck", "full", "empty"}};
    table.counts = true;
    bool ok = true;
    for (const Structure& structure : kStructures) {
      const Soaked s = structure.soak(e.device, operations);
      const Findings& f = s.findings;
      course::TableRow row{structure.id, {}};
      for (const std::uint64_t v :
           {f.operations, f.lost, f.twice, f.invented, f.disordered, f.stuck, s.full, s.empty})
        row.values.push_back(static_cast<double>(v));
      table.rows.push_back(std::move(row));
      ok &= f.ok();
      if (!f.ok()) std::printf("FAIL %s: see below\n", structure.id);
    }
    e.add(std::move(table));
    return ok;
  });
}
