// SPDX-License-Identifier: MIT
// For exercises in which threads share a bounded container (a stack, a queue): scripts of pushes and
// pops for some threads, and a judge of what they were told. The case's n is the capacity.
//
// In a script 0 pops and any other number is pushed. What an operation was told: a push 1, or 0 for
// full; a pop the value, or -1 for empty. Three scripts follow each other: `before` and `after` by
// one thread, `script` by all at once. The seed's remainder by 4 says what is played:
//   1  one thread alone: it must be told exactly what the container tells
//   2  eight threads push and pop: nothing is lost, comes twice or is invented
//   3  a full container and eight threads that only pop, all of it together: nobody finds it empty
//   0  an empty one and eight threads that only push, all it can hold: nobody finds it full
//
// Long because a judge compiles it whole: it is code, used by two exercises.
#pragma once

#include <algorithm>
#include <deque>
#include <map>

#include "common/exercise/judge.hpp"

namespace course::exercise::history {

enum class Order { FirstInFirstOut, LastInFirstOut };

constexpr int kPop = 0, kEmpty = -1, kFull = 0;
constexpr unsigned kThreads = 8;     // in four blocks of two
constexpr std::size_t kLength = 12;  // of each thread's script where they push and pop

enum class Play { OnlyPush, Alone, Mixed, OnlyPop };
inline Play play_of(std::uint64_t seed) { return static_cast<Play>(seed % 4); }

// Values say who pushed them: 1000 * (thread + 1) + the number of the push, from 1 on.
inline std::vector<int> script_of(unsigned thread, std::size_t capacity, Play play,
                                  Random& random) {
  std::vector<int> script;
  int next = 1000 * static_cast<int>(thread + 1);
  std::size_t length = play == Play::Alone ? 6 * capacity + 10 : kLength;
  if (play == Play::OnlyPush || play == Play::OnlyPop) length = capacity / kThreads;
  for (std::size_t i = 0; i < length; ++i) {
    // A push is more likely in the first half, a pop in the second: full and empty both happen.
    bool push = random.between(0, 3) > (2 * i < length ? 0 : 2);
    if (play == Play::OnlyPush || play == Play::OnlyPop) push = play == Play::OnlyPush;
    script.push_back(push ? ++next : kPop);
  }
  return script;
}

inline void add_scripts(Arrays& in, std::size_t capacity, std::uint64_t seed) {
  Random random(seed);
  const Play play = play_of(seed);
  const unsigned threads = play == Play::Alone ? 1 : kThreads;
  std::vector<int> before, script, after;
  if (play == Play::OnlyPop)
    for (std::size_t i = 0; i < capacity; ++i) before.push_back(800001 + static_cast<int>(i));
  for (unsigned t = 0; t < threads; ++t) {
    const std::vector<int> mine = script_of(t, capacity, play, random);
    script.insert(script.end(), mine.begin(), mine.end());
  }
  after.insert(after.end(), capacity + 1, kPop);
  for (std::size_t i = 0; i <= capacity; ++i) after.push_back(900001 + static_cast<int>(i));
  after.insert(after.end(), capacity + 1, kPop);
  in.set("before", before);
  in.set("script", script);
  in.set("after", after);
  in.set("blocks", std::vector<unsigned>{threads == 1 ? 1u : 4u});
  in.set("block", std::vector<unsigned>{threads == 1 ? 1u : 2u});
}

inline void visible(Cases& cases) {
  for (const std::size_t n : {1, 2, 3, 5}) cases.add(n, 1);
  for (const std::size_t n : {1, 2, 3, 4, 8}) cases.add(n, 2);
  for (const std::uint64_t seed : {3, 4}) cases.add(16, seed);
}

inline void hidden(Cases& cases, Random& random) {
  // Size before seed: in one call it would be the compiler's choice which is drawn first.
  const auto add = [&](std::size_t n, std::uint64_t play) {
    cases.add(n, 4 * random.seed() + play);
  };
  add(random.size(2, 9), 1);
  for (int k = 0; k < 3; ++k) add(random.size(1, 7), 2);
  for (const std::uint64_t play : {3, 4}) add(8 * random.size(2, 4), play);
}

// What the container tells one thread that is alone with it.
inline std::vector<int> alone(const std::vector<int>& script, std::size_t capacity, Order order) {
  std::deque<int> inside;
  std::vector<int> told;
  for (const int what : script) {
    if (what != kPop) {
      told.push_back(inside.size() < capacity ? 1 : kFull);
      if (inside.size() < capacity) inside.push_back(what);
    } else if (inside.empty()) {
      told.push_back(kEmpty);
    } else {
      const bool front = order == Order::FirstInFirstOut;
      told.push_back(front ? inside.front() : inside.back());
      front ? inside.pop_front() : inside.pop_back();
    }
  }
  return told;
}

inline std::string words_for(int what, int told) {
  const std::string number = std::to_string(what == kPop ? told : what);
  if (what != kPop) return "push(" + number + ") said " + (told == kFull ? "full" : "true");
  return told == kEmpty ? "pop said empty" : "pop gave " + number;
}

inline void judge_alone(const Case& c, const Arrays& out, Judgement& verdict, Order order) {
  const std::vector<int> script = c.in.get<int>("script"), after = c.in.get<int>("after");
  std::vector<int> both = script;
  both.insert(both.end(), after.begin(), after.end());
  const std::vector<int> expected = alone(both, c.n, order);
  const auto split = expected.begin() + static_cast<std::ptrdiff_t>(script.size());
  if (verdict.equal<int>(out, "told", {expected.begin(), split}) &&
      verdict.equal<int>(out, "told_after", {split, expected.end()}))
    return;
  if (!out.has<int>("told") || !out.has<int>("told_after")) return;
  std::vector<int> told = out.get<int>("told");
  const std::vector<int> told_after = out.get<int>("told_after");
  told.insert(told.end(), told_after.begin(), told_after.end());
  for (std::size_t i = 0; i < std::min(told.size(), expected.size()); ++i) {
    if (told[i] == expected[i]) continue;
    return verdict.because("wrong_value", "one thread alone, capacity " + std::to_string(c.n) +
                                              ", operation " + std::to_string(i) + ": " +
                                              words_for(both[i], told[i]) +
                                              "; right is: " + words_for(both[i], expected[i]));
  }
}

// Several threads: which values went in and came out.
class Together {
 public:
  Together(const Case& c, const Arrays& out, Judgement& verdict, Order order)
      : c_(c),
        verdict_(verdict),
        order_(order),
        script_(c.in.get<int>("script")),
        told_(out.get<int>("told")),
        after_(out.get<int>("told_after")) {
    enter(c.in.get<int>("before"), out.get<int>("told_before"));
    enter(script_, told_);
  }

  void judge() {
    const std::size_t each = script_.size() / kThreads;
    for (std::size_t t = 0; t < kThreads; ++t) one_thread(t * each, (t + 1) * each);
    const std::size_t left = inside_.size() - std::min(inside_.size(), out_);
    for (std::size_t i = 0; i <= c_.n; ++i)  // one thread empties it
      if (after_[i] != kEmpty) came_out(after_[i]);
    if (out_ < inside_.size())
      fail(std::to_string(inside_.size() - out_) + " of " + std::to_string(inside_.size()) +
           " elements went in and never came out");
    if (left > c_.n) fail("there were more elements inside than the capacity");
    // Now it is empty, and the thread alone.
    const auto rest = static_cast<std::ptrdiff_t>(c_.n + 1);
    const std::vector<int> after = c_.in.get<int>("after");
    const std::vector<int> end = alone({after.begin() + rest, after.end()}, c_.n, order_);
    if (!std::equal(end.begin(), end.end(), after_.begin() + rest))
      fail("after all that it cannot be filled to its capacity and emptied again");
  }

 private:
  void fail(const std::string& message) { verdict_.fail("wrong_value", message); }

  void enter(const std::vector<int>& script, const std::vector<int>& told) {
    for (std::size_t i = 0; i < script.size(); ++i)
      if (script[i] != kPop && told[i] != kFull) inside_[script[i]] = true;
  }

  void came_out(int value) {
    const auto found = inside_.find(value);
    if (found == inside_.end())
      return fail("a pop gave " + std::to_string(value) + ", which nobody has pushed");
    if (!found->second) return fail(std::to_string(value) + " came out twice");
    found->second = false;
    ++out_;
  }

  void one_thread(std::size_t begin, std::size_t end) {
    std::map<int, int> last;  // of each pushing thread, as this thread saw them
    const Play play = play_of(c_.seed);
    for (std::size_t i = begin; i < end; ++i) {
      if (script_[i] != kPop) {
        if (told_[i] == kFull && play == Play::OnlyPush)
          fail("a push said full, and there was room for all of them");
        continue;
      }
      if (told_[i] == kEmpty) {
        if (play == Play::OnlyPop) fail("a pop said empty, and there was an element for each pop");
        continue;
      }
      came_out(told_[i]);
      int& before = last[told_[i] / 1000];
      if (order_ == Order::FirstInFirstOut && told_[i] < before)
        fail("not first in, first out: one thread got " + std::to_string(before) + " and later " +
             std::to_string(told_[i]) + ", which the same thread had pushed earlier");
      before = told_[i];
    }
  }

  const Case& c_;
  Judgement& verdict_;
  Order order_;
  std::vector<int> script_, told_, after_;
  std::map<int, bool> inside_;  // pushed: is it still inside?
  std::size_t out_ = 0;
};

inline void judge(const Case& c, const Arrays& out, Judgement& verdict, Order order) {
  for (const char* name : {"told_before", "told", "told_after"})
    if (!out.has<int>(name)) return verdict.fail("missing", "the run left no result");
  if (play_of(c.seed) == Play::Alone)
    judge_alone(c, out, verdict, order);
  else
    Together(c, out, verdict, order).judge();
}

}  // namespace course::exercise::history
