// SPDX-License-Identifier: MIT
// Exercise insert_pairs: keys that differ, that repeat, and more than there is room for.
#include "common/exercise/judge.hpp"

#include <algorithm>
#include <map>
#include <set>

using namespace course::exercise;

namespace {

// The last digit of the seed: 0, 1 room for all, 2 no slot more than needed, 3 for half of them, 4 and 5
// few keys often, 6 one key.
Arrays input(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  const std::uint64_t kind = seed % 10;
  const std::size_t different = kind == 6 ? 1 : kind >= 4 ? n / 8 + 1 : n;
  std::vector<unsigned> pool, keys(n), values(n);
  std::set<unsigned> used;
  while (pool.size() < different) {
    const auto key = static_cast<unsigned>(random.between(0, 1000000));
    if (used.insert(key).second) pool.push_back(key);
  }
  for (std::size_t i = 0; i < n; ++i) {
    keys[i] =
        different == n
            ? pool[i]
            : pool[static_cast<std::size_t>(random.between(0, static_cast<int>(different) - 1))];
    values[i] = static_cast<unsigned>(i) + 100;
  }
  const std::size_t capacity = kind == 2   ? different
                               : kind == 3 ? different / 2
                                           : different * 5 / 4;
  Arrays in;
  in.set("keys", keys);
  in.set("values", values);
  in.set("empty", std::vector<unsigned long long>(std::max<std::size_t>(capacity, 1), ~0ull));
  return in;
}

void visible(Cases& cases) {
  cases.add(1, 0);
  for (const std::size_t n : {2, 33, 64, 200}) cases.add(n, 1);
  cases.add_as("just_enough", 100, 2);
  cases.add_as("too_many", 100, 3);
  cases.add_as("few_keys", 256, 4);
  cases.add_as("one_key", 128, 6);
}

void hidden(Cases& cases, Random& random) {
  for (const std::uint64_t kind : {1, 2, 3, 5, 6}) {
    const std::size_t n = random.size(2, 300);
    cases.add(n, random.seed() / 10 * 10 + kind);
  }
}

unsigned first_slot(unsigned key, unsigned capacity) { return key * 2654435761u % capacity; }

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const auto keys = c.in.get<unsigned>("keys"), values = c.in.get<unsigned>("values");
  if (!out.has<unsigned>("outcomes") || !out.has<unsigned long long>("slots"))
    return verdict.fail("missing", "no result");
  const auto outcomes = out.get<unsigned>("outcomes");
  const auto slots = out.get<unsigned long long>("slots");
  std::map<unsigned, unsigned> there;
  for (const unsigned long long slot : slots) {
    if (slot == ~0ull) continue;
    if (!there.emplace(static_cast<unsigned>(slot), static_cast<unsigned>(slot >> 32)).second)
      return verdict.fail(
          "wrong_value", "key " + std::to_string(static_cast<unsigned>(slot)) + " is in two slots");
  }
  std::map<unsigned, unsigned> inserted;  // the value that each key must have
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::string who = "key " + std::to_string(keys[i]);
    if (outcomes[i] > 2) return verdict.fail("wrong_value", who + " got no answer");
    if (outcomes[i] == 0 && !inserted.emplace(keys[i], values[i]).second)
      return verdict.fail("wrong_value", "two threads were told that they inserted " + who);
    if (outcomes[i] == 2 && there.size() < slots.size())
      return verdict.fail("wrong_value",
                          who + " was told that the table is full, and a slot is empty");
    if (outcomes[i] < 2 && there.count(keys[i]) == 0)
      return verdict.fail("wrong_value", who + " was inserted, and is in no slot: it was lost");
  }
  if (there != inserted)
    return verdict.fail("wrong_value", "a key has another value than the one it was inserted with");
  const auto capacity = static_cast<unsigned>(slots.size());
  for (const auto& [key, value] : there)
    for (unsigned at = first_slot(key, capacity); static_cast<unsigned>(slots[at]) != key;
         at = at + 1 < capacity ? at + 1 : 0)
      if (slots[at] == ~0ull)
        return verdict.fail("wrong_value", "key " + std::to_string(key) +
                                               " lies behind an empty slot of its search");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
