// SPDX-License-Identifier: MIT
// How many buckets does an operation look at? Counted, not timed: the same hashes and the same orders of
// probing as the tables, on the CPU. A bucket is one access of memory, whatever is in it.
// Program 11_hash_table.probes.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "common/program/experiment.cuh"
#include "lessons/11_hash_table/probing.cuh"

// Its own namespace: the programs of a lesson are compiled as one file.
namespace lesson11::probes {
namespace {

// Takes the emptier of two buckets: two are read for every insert, and for every find that does not meet
// its key in the first.
struct EmptierOfTwo {};

struct Counted {
  double fill = 0, hit = 0, miss = 0;
  std::uint32_t longest = 0;
};

std::uint32_t key_number(std::uint32_t i) { return mix(i + 12345) >> 1; }

// Buckets with nothing but how full they are; where each key went is kept for the finds.
template <class Probe>
Counted count(std::uint32_t slots, std::uint32_t bucket, double load) {
  const std::uint32_t buckets = slots / bucket;
  const auto n = static_cast<std::uint32_t>(load * slots);
  std::vector<std::uint8_t> fill(buckets);
  Counted counted;
  const auto steps_to_room = [&](std::uint32_t key, std::uint32_t& at) {
    Probe probe(key, buckets);
    std::uint32_t steps = 1;
    for (; fill[probe.bucket] == bucket; ++steps) probe.advance(buckets);
    at = probe.bucket;
    return steps;
  };
  std::uint32_t at = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t steps = steps_to_room(key_number(i), at);
    ++fill[at];
    counted.fill += steps;
    counted.longest = std::max(counted.longest, steps);
  }
  counted.hit = counted.fill /= n;  // a key is found where it was put: the same steps
  for (std::uint32_t i = 0; i < n; ++i) counted.miss += steps_to_room(key_number(n + i), at);
  counted.miss /= n;
  return counted;
}
template <>
Counted count<EmptierOfTwo>(std::uint32_t slots, std::uint32_t bucket, double load) {
  const std::uint32_t buckets = slots / bucket;
  const auto n = static_cast<std::uint32_t>(load * slots);
  std::vector<std::uint8_t> fill(buckets);
  Counted counted;
  std::uint32_t second = 0, none = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t key = key_number(i), a = scaled(mix(key), buckets),
                        b = scaled(mix_again(key), buckets);
    const std::uint32_t to = fill[b] < fill[a] ? b : a;
    if (fill[to] == bucket) {
      ++none;  // no room in either: such a table has failed
      continue;
    }
    ++fill[to];
    second += to == b && to != a;
  }
  counted.fill = 2;
  counted.hit = 1 + static_cast<double>(second) / n;
  counted.miss = 2;
  counted.longest = none > 0 ? 0 : 2;
  return counted;
}

bool run(course::Experiment& e) {
  const std::uint32_t slots = 1u << 18;
  const auto loads = {0.3, 0.5, 0.7, 0.8, 0.9, 0.95};
  struct Kind {
    const char* name;
    Counted (*count)(std::uint32_t, std::uint32_t, double);
    std::uint32_t bucket;
  };
  const Kind kinds[] = {
      {"1 slot, next", &count<NextBucket>, 1},  {"4, next", &count<NextBucket>, 4},
      {"4, second", &count<SecondChoice>, 4},   {"4, other half", &count<OtherHalf>, 4},
      {"8, next", &count<NextBucket>, 8},       {"8, second", &count<SecondChoice>, 8},
      {"16, second", &count<SecondChoice>, 16}, {"8, emptier of two", &count<EmptierOfTwo>, 8},
  };
  course::Table hit{
      "hit",
      "Buckets that a find of a key looks at; an insert too, on average over the filling",
      "",
      {"load factor"}};
  course::Table miss{
      "miss", "Buckets that a find looks at for a key that is not there", "", {"load factor"}};
  course::Table longest{"longest",
                        "The longest search of a filling (0: some keys found no room)",
                        "",
                        {"load factor"}};
  longest.counts = true;
  for (const Kind& kind : kinds)
    for (course::Table* const table : {&hit, &miss, &longest})
      table->columns.emplace_back(kind.name);
  for (const double load : loads) {
    char name[16];
    std::snprintf(name, sizeof name, "%.2f", load);
    course::TableRow rows[3] = {{name, {}}, {name, {}}, {name, {}}};
    for (const Kind& kind : kinds) {
      const Counted counted = kind.count(slots, kind.bucket, load);
      rows[0].values.push_back(counted.hit);
      rows[1].values.push_back(counted.miss);
      rows[2].values.push_back(counted.longest);
    }
    hit.rows.push_back(rows[0]), miss.rows.push_back(rows[1]), longest.rows.push_back(rows[2]);
  }
  e.add(std::move(hit)), e.add(std::move(miss)), e.add(std::move(longest));
  return true;
}

}  // namespace
}  // namespace lesson11::probes

int main(int argc, char** argv) {
  return course::run_experiment(
      {"11_hash_table", "probes", "How many buckets an operation looks at."}, argc, argv,
      lesson11::probes::run);
}
