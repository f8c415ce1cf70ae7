// SPDX-License-Identifier: MIT
// Exercise look_at_errors: blocks that are possible, and others.
#include "common/exercise/judge.hpp"

using namespace course::exercise;

namespace {

constexpr unsigned kThreads[] = {256, 2048, 1024, 0, 1025};

Arrays input(std::size_t n, std::uint64_t seed) {
  Arrays in;
  Random random(seed);
  in.set("x", random.ints(n, 1, 1000));
  in.set_one("threads", kThreads[(seed - 1) % std::size(kThreads)]);
  return in;
}

void visible(Cases& cases) {
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) cases.add(1000, seed);
}

void hidden(Cases& cases, Random& random) {
  for (int k = 0; k < 4; ++k) cases.add_random(random, 2, 3000);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const auto threads = c.in.one<unsigned>("threads");
  const bool possible = threads >= 1 && threads <= 1024;
  const std::string sizes = "blocks of " + std::to_string(threads) + " threads: ";
  std::vector<int> expected = c.in.get<int>("x");
  if (possible)
    for (int& v : expected) v *= 3;
  if (!verdict.equal<int>(out, "failed", {!possible})) {
    verdict.because("wrong_value", sizes + (possible ? "the launch worked, and an error is returned"
                                                     : "no kernel ran, and no error is returned"));
  } else if (!verdict.equal<int>(out, "left", {0})) {
    verdict.because("wrong_value", sizes + "the error is still there for whoever asks next");
  } else {
    verdict.equal<int>(out, "x", expected);
  }
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
