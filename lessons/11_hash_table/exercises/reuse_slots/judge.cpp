// SPDX-License-Identifier: MIT
// Exercise reuse_slots: lists of calls over few keys, in tables with hardly enough room.
#include "common/exercise/judge.hpp"

#include <map>

using namespace course::exercise;

namespace {

// n calls; the capacity is the last two digits of the seed.
Arrays input(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  const std::size_t capacity = seed % 100 == 0 ? 1 : seed % 100;
  std::vector<unsigned> calls, answers;
  std::map<unsigned, unsigned> there;
  for (std::size_t i = 0; i < n; ++i) {
    const auto what = static_cast<unsigned>(random.between(0, 2));
    const auto key = static_cast<unsigned>(random.between(1, static_cast<int>(capacity) + 2));
    calls.insert(calls.end(), {what, key, static_cast<unsigned>(i)});
    const auto at = there.find(key);
    const bool present = at != there.end();
    if (what == 2) {
      answers.push_back(present ? at->second : 0xffffffffu);
    } else if (what == 1) {
      answers.push_back(present ? 1u : 0u);
      if (present) there.erase(at);
    } else {
      const bool full = !present && there.size() >= capacity;
      answers.push_back(present ? 1u : full ? 2u : 0u);
      if (!present && !full) there[key] = static_cast<unsigned>(i);
    }
  }
  Arrays in;
  in.set("calls", calls);
  in.set("answers", answers);
  in.set("empty", std::vector<unsigned long long>(capacity, ~0ull));
  return in;
}

void visible(Cases& cases) {
  cases.add_as("one_slot", 40, 101);
  cases.add_as("three_slots", 100, 203);
  cases.add_as("eight_slots", 300, 308);
  cases.add_as("many", 1000, 433);
}

void hidden(Cases& cases, Random& random) {
  for (const std::uint64_t capacity : {1, 2, 5, 13}) {
    const std::size_t n = random.size(40, 500);
    cases.add(n, random.seed() / 100 * 100 + capacity);
  }
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const auto truth = c.in.get<unsigned>("answers");
  const auto calls = c.in.get<unsigned>("calls");
  if (verdict.equal<unsigned>(out, "answers", truth) || !out.has<unsigned>("answers")) return;
  const auto answers = out.get<unsigned>("answers");
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (answers[i] == truth[i]) continue;
    const std::string key = "key " + std::to_string(calls[3 * i + 1]);
    if (calls[3 * i] == 2 || calls[3 * i] == 1) {
      const bool there = calls[3 * i] == 2 ? truth[i] != 0xffffffffu : truth[i] == 1;
      return verdict.because(
          "wrong_value", there ? key + " was lost: it is in the table, and was not found"
                               : key + " is not in the table, and was found: was it there twice?");
    }
    if (answers[i] == 2)
      return verdict.because("wrong_value",
                             key + " was told that the table is full, and a slot could take it");
    if (truth[i] == 1) return verdict.because("wrong_value", key + " was inserted a second time");
    return verdict.because("wrong_value", "insert of " + key + " got a wrong answer");
  }
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
