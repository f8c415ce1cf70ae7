// SPDX-License-Identifier: MIT
// Exercise count_keys: many keys, few keys, one key.
#include "common/exercise/judge.hpp"

#include <algorithm>
#include <map>
#include <set>

using namespace course::exercise;

namespace {

// The last digit of the seed: 1 about four of each key, 2 few keys and no slot more than needed, 3 one key.
Arrays input(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  const std::uint64_t kind = seed % 10;
  const std::size_t different = kind == 3 ? 1 : kind == 2 ? n / 16 + 1 : n / 4 + 1;
  std::set<unsigned> pool;
  while (pool.size() < different) pool.insert(static_cast<unsigned>(random.between(0, 1000000)));
  const std::vector<unsigned> of(pool.begin(), pool.end());
  std::vector<unsigned> keys(n);
  for (auto& key : keys)
    key = of[static_cast<std::size_t>(random.between(0, static_cast<int>(different) - 1))];
  Arrays in;
  in.set("keys", keys);
  in.set("empty",
         std::vector<unsigned long long>(kind == 2 ? different : different * 5 / 4 + 1, ~0ull));
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {1, 2, 33, 64, 200}) cases.add(n, 1);
  cases.add_as("few_keys", 256, 2);
  cases.add_as("one_key", 128, 3);
}

void hidden(Cases& cases, Random& random) {
  for (const std::uint64_t kind : {1, 2, 3}) {
    const std::size_t n = random.size(2, 400);
    cases.add(n, random.seed() / 10 * 10 + kind);
  }
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  std::map<unsigned, unsigned> expected, got;
  for (const unsigned key : c.in.get<unsigned>("keys")) ++expected[key];
  if (!out.has<unsigned long long>("slots")) return verdict.fail("missing", "no result");
  for (const unsigned long long slot : out.get<unsigned long long>("slots")) {
    if (slot == ~0ull) continue;
    const auto key = static_cast<unsigned>(slot), count = static_cast<unsigned>(slot >> 32);
    if (!got.emplace(key, count).second)
      return verdict.fail("wrong_value", "key " + std::to_string(key) + " is in two slots");
    if (expected.count(key) == 0)
      return verdict.fail("wrong_value",
                          "key " + std::to_string(key) + " is in a slot, and nobody brought it");
  }
  for (const auto& [key, count] : expected) {
    const std::string who =
        "key " + std::to_string(key) + " occurs " + std::to_string(count) + " times";
    if (got.count(key) == 0) return verdict.fail("wrong_value", who + ", and is in no slot");
    if (got[key] != count)
      return verdict.fail("wrong_value", who + ", its count is " + std::to_string(got[key]) +
                                             (got[key] + 1 == count ? ": the first one is missing"
                                              : got[key] < count    ? ": some were lost"
                                                                    : ": some were counted twice"));
  }
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
