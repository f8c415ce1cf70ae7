// SPDX-License-Identifier: MIT
// Everybody inserts, looks up and erases at the same time: how fast that is, and whether anything is lost,
// doubled or invented. Program 11_hash_table.mixed.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "common/device_buffer.cuh"
#include "common/program/experiment.cuh"
#include "common/size.hpp"
#include "common/timing.cuh"
#include "lessons/11_hash_table/many.cuh"
#include "lessons/11_hash_table/reusing_table.cuh"
#include "lessons/11_hash_table/table.cuh"
#include "lessons/11_hash_table/tag_table.cuh"

// Its own namespace: the programs of a lesson are compiled as one file.
namespace lesson11::mixed {
namespace {

using course::DeviceBuffer;

// Another key for each number below 2^31, none that a table refuses.
__device__ std::uint32_t key_for(std::uint32_t number) {
  const std::uint32_t key = mix(number);
  return refused(key) ? mix(number | 1u << 31) : key;
}
// A value names its key: one that was never stored there is seen.
__device__ bool fits(std::uint32_t number, std::uint32_t value) {
  return value >> 12 == (number & 0xfffff);
}
__device__ std::uint32_t value_for(std::uint32_t number, std::uint32_t writer) {
  return (number & 0xfffff) << 12 | (writer & 0xfff);
}

template <class T>
__global__ void reset_table(T table) {
  table.reset(static_cast<std::uint32_t>(thread_number()), gridDim.x * blockDim.x);
}

// ---- rates: numbers from `present` on are inserted, those below are looked up, by turns

template <class T>
__global__ void insert_and_find(T table, std::uint32_t present, std::uint32_t fresh,
                                unsigned* wrong) {
  const auto i = static_cast<std::uint32_t>(thread_number());
  if (i >= 2 * fresh) return;
  const std::uint32_t number = i / 2;
  bool ok = true;
  if (i % 2 == 0) {
    const std::uint32_t mine = present + number;
    ok = table.insert(key_for(mine), value_for(mine, i)) == Outcome::Inserted;
  } else {
    // Spread over all that are there: a number of its own, as long as there are as many as are inserted.
    const auto asked = static_cast<std::uint32_t>(std::uint64_t{mix(number)} * present >> 32);
    std::uint32_t value = 0;
    ok = table.find(key_for(asked), value) && fits(asked, value);
  }
  if (!ok) atomicAdd(wrong, 1u);
}
template <class T>
__global__ void insert_first(T table, std::uint32_t count, unsigned* wrong) {
  const auto i = static_cast<std::uint32_t>(thread_number());
  if (i < count && table.insert(key_for(i), value_for(i, 0)) != Outcome::Inserted)
    atomicAdd(wrong, 1u);
}

// ---- checks: few keys, all threads. An insert adds one to the balance of its key, an erase takes one away

struct Books {
  int* balance;
  unsigned long long* wrong;
  std::uint32_t keys, per_thread, seed;
};

template <class T>
__global__ void fight(T table, Books books) {
  const auto me = static_cast<std::uint32_t>(thread_number());
  std::uint32_t random = mix(books.seed * 0x9e3779b9u + me);
  unsigned wrong = 0;
  for (std::uint32_t i = 0; i < books.per_thread; ++i) {
    random = mix(random + 1);
    const auto number = static_cast<std::uint32_t>(std::uint64_t{random} * books.keys >> 32);
    const std::uint32_t key = key_for(number), choice = random % 4;
    if (choice == 0) {
      const Outcome outcome = table.insert(key, value_for(number, me));
      if (outcome == Outcome::Inserted) atomicAdd(books.balance + number, 1);
      wrong += outcome == Outcome::Full || outcome == Outcome::Refused;  // there is room for all
      continue;
    }
    if constexpr (requires { table.erase(key); }) {
      if (choice == 1) {
        if (table.erase(key)) atomicAdd(books.balance + number, -1);
        continue;
      }
    }
    std::uint32_t value = 0;
    if (table.find(key, value)) wrong += !fits(number, value);
  }
  if (wrong != 0) atomicAdd(books.wrong, wrong);
}
// A key is there once if its balance is 1, and not at all if it is 0.
template <class T>
__global__ void close_books(T table, Books books) {
  const auto number = static_cast<std::uint32_t>(thread_number());
  if (number >= books.keys) return;
  std::uint32_t value = 0;
  const int there = table.find(key_for(number), value);
  const bool ok = there == books.balance[number] && (there == 0 || fits(number, value));
  if (!ok) atomicAdd(books.wrong, 1ull);
}

template <class T>
T make(DeviceBuffer<Word>& memory, std::uint32_t capacity) {
  T table(memory.data(), capacity);
  reset_table<<<512, 256>>>(table);
  return table;
}
template <class T>
std::size_t words_for(std::uint32_t capacity) {
  return (T::bytes(capacity) + sizeof(Word) - 1) / sizeof(Word);
}

struct Checked {
  double operations = 0, wrong = 0;
};
template <class T>
Checked check(double operations, unsigned blocks, unsigned threads) {
  Checked all;
  // Four launches or more: one for each number of keys.
  const double fair = operations / (4.0 * blocks * threads);
  const auto each = static_cast<std::uint32_t>(std::clamp(fair, 4.0, blocks == 1 ? 8192.0 : 512.0));
  DeviceBuffer<unsigned long long> wrong(std::vector<unsigned long long>(1));
  for (std::uint32_t seed = 1; all.operations < operations; ++seed) {
    constexpr std::uint32_t kKeys[] = {1, 7, 1000, 1u << 16};
    const std::uint32_t keys = kKeys[seed % 4], capacity = keys + keys / 4 + 8;
    DeviceBuffer<Word> memory(words_for<T>(capacity));
    DeviceBuffer<int> balance{std::vector<int>(keys)};
    const Books books{balance.data(), wrong.data(), keys, each, seed};
    const T table = make<T>(memory, capacity);
    fight<<<blocks, threads>>>(table, books);
    close_books<<<blocks_for(keys, 256), 256>>>(table, books);
    COURSE_CHECK(cudaDeviceSynchronize());
    all.operations += double(blocks) * threads * books.per_thread;
  }
  all.wrong = static_cast<double>(wrong.download()[0]);
  return all;
}

std::size_t operations_to_check(const course::Experiment& e) {
  return e.n.value_or(e.device.small ? 1000 : 1'000'000'000);
}
// The table whose rate is measured: far larger than the L2 cache, unless few operations are asked for.
std::uint32_t slots_for_rates(const course::Experiment& e) {
  const std::size_t most = std::size_t{1} << (e.device.small ? 14 : 27);
  const std::size_t least = std::size_t{1} << 14;
  return static_cast<std::uint32_t>(std::clamp(operations_to_check(e), least, most));
}

template <class T>
bool measure(course::Experiment& e, const char* name, course::Table& rates, course::Table& checks) {
  const std::uint32_t capacity = slots_for_rates(e);
  const auto half = static_cast<std::uint32_t>(0.4 * capacity);
  bool ok = true;
  {
    DeviceBuffer<Word> memory(words_for<T>(capacity));
    DeviceBuffer<unsigned> wrong(std::vector<unsigned>(1));
    course::Event start, stop;
    std::vector<double> us;
    for (int i = 0; i < (e.device.small ? 1 : 5); ++i) {
      const T table = make<T>(memory, capacity);
      insert_first<<<blocks_for(half, 256), 256>>>(table, half, wrong.data());
      start.record();
      insert_and_find<<<blocks_for(2 * std::size_t{half}, 256), 256>>>(table, half, half,
                                                                       wrong.data());
      COURSE_CHECK(cudaGetLastError());
      stop.record();
      stop.wait();
      us.push_back(stop.us_since(start));
    }
    std::nth_element(us.begin(), us.begin() + us.size() / 2, us.end());
    rates.rows.push_back({name, {2.0 * half / us[us.size() / 2]}});
    ok = wrong.download()[0] == 0;
  }
  const auto operations = static_cast<double>(operations_to_check(e));
  const unsigned many = e.device.small ? 2u : 16u * static_cast<unsigned>(e.device.multiprocessors);
  const Checked crowd = check<T>(operations, many, e.device.small ? 64 : 256);
  const Checked alone = check<T>(operations, 1, e.device.small ? 64 : 1024);
  checks.rows.push_back({name, {crowd.operations, crowd.wrong, alone.operations, alone.wrong}});
  ok = ok && crowd.wrong == 0 && alone.wrong == 0;
  if (!ok) std::printf("FAIL %s: an answer or a count is wrong\n", name);
  return ok;
}

bool run(course::Experiment& e) {
  course::Table rates{"rates",
                      "Half inserts, half finds, load factor 0.4 to 0.8, " +
                          course::format_size(slots_for_rates(e)) + " slots",
                      "million/s",
                      {"table", "operations"}};
  course::Table checks{"checked",
                       "Operations checked, and what was wrong with them",
                       "",
                       {"table", "many blocks", "wrong", "one block", "wrong"}};
  checks.counts = true;
  bool ok = measure<Table<1>>(e, "linear", rates, checks);
  ok = measure<Table<4>>(e, "sector", rates, checks) && ok;
  ok = measure<Table<8, SecondChoice>>(e, "pair", rates, checks) && ok;
  ok = measure<Table<4, OtherHalf>>(e, "halves", rates, checks) && ok;
  ok = measure<TagTable<>>(e, "tags", rates, checks) && ok;
  ok = measure<ReusingTable<>>(e, "slots come back", rates, checks) && ok;
  e.add(std::move(rates));
  e.add(std::move(checks));
  return ok;
}

}  // namespace
}  // namespace lesson11::mixed

int main(int argc, char** argv) {
  course::ExperimentInfo info{"11_hash_table", "mixed",
                              "All operations at once: their rate, and a billion of them checked."};
  info.flushes = course::Flushes::Never;
  info.takes_n = true;
  return course::run_experiment(info, argc, argv, lesson11::mixed::run);
}
