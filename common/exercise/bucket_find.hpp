// SPDX-License-Identifier: MIT
// For exercises that find keys in a table with buckets of kBucket slots: tables that are filled to a half,
// to nine tenths, or to the last slot; half of the keys asked for are there. Used by two exercises.
#pragma once

#include <map>

#include "common/exercise/judge.hpp"

namespace course::exercise::bucket_find {

inline std::size_t first_bucket(unsigned key, std::size_t buckets) {
  return key * 2654435761u % static_cast<unsigned>(buckets);
}

// n keys are asked for. The last digit of the seed: 1 a table with room, 2 a nearly full one, 3 a full one.
template <std::size_t kBucket>
Arrays input(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  const std::uint64_t kind = seed % 10;
  const std::size_t buckets = n / kBucket + 1;
  const std::size_t count =
      kind == 3 ? buckets * kBucket : buckets * kBucket * (kind == 2 ? 9 : 5) / 10;
  std::vector<unsigned long long> slots(buckets * kBucket, ~0ull);
  std::map<unsigned, unsigned> there;
  std::vector<unsigned> pool;
  while (there.size() < count) {
    const auto key = static_cast<unsigned>(random.between(0, 1000000));
    if (!there.emplace(key, 1000 + static_cast<unsigned>(there.size())).second) continue;
    std::size_t at = first_bucket(key, buckets) * kBucket;
    while (slots[at] != ~0ull) at = at + 1 < slots.size() ? at + 1 : 0;
    slots[at] = static_cast<unsigned long long>(there[key]) << 32 | key;
    pool.push_back(key);
  }
  std::vector<unsigned> keys(n), truth(n);
  for (std::size_t i = 0; i < n; ++i) {
    const bool pick = !pool.empty() && random.between(0, 1) == 0;
    keys[i] =
        pick ? pool[static_cast<std::size_t>(random.between(0, static_cast<int>(pool.size()) - 1))]
             : static_cast<unsigned>(random.between(1000001, 2000000));
    truth[i] = pick ? there[keys[i]] : 0xffffffffu;
  }
  Arrays in;
  in.set("slots", slots);
  in.set("keys", keys);
  in.set("truth", truth);
  return in;
}

inline void hidden(Cases& cases, Random& random) {
  for (const std::uint64_t kind : {1, 2, 3}) {
    const std::size_t n = random.size(2, 300);
    cases.add(n, random.seed() / 10 * 10 + kind);
  }
}

inline void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const auto truth = c.in.get<unsigned>("truth");
  if (verdict.equal<unsigned>(out, "found", truth) || !out.has<unsigned>("found")) return;
  const auto found = out.get<unsigned>("found");
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (found[i] == truth[i]) continue;
    if (found[i] == 0xffffffffu)
      return verdict.because("wrong_value", "a key that is in the table was not found");
    if (truth[i] == 0xffffffffu)
      return verdict.because("wrong_value", "a key that is not in the table was found");
    return verdict.because("wrong_value", "a key was found with the value of another");
  }
}

}  // namespace course::exercise::bucket_find
