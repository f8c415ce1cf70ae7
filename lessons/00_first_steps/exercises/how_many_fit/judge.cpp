// SPDX-License-Identifier: MIT
// Exercise how_many_fit: n blocks of all shapes.
#include "common/exercise/judge.hpp"

using namespace course::exercise;

namespace {

constexpr unsigned kThreads[] = {256, 768, 256, 256, 32, 1024, 96, 512, 64, 128};
constexpr unsigned kRegisters[] = {32, 16, 64, 32, 16, 40, 64, 56, 32, 24};
constexpr unsigned kShared[] = {0, 0, 0, 49152, 0, 0, 0, 0, 7000, 45 * 1024};
constexpr std::size_t kKnown = std::size(kThreads);

Arrays input(std::size_t n, std::uint64_t seed) {
  Arrays in;
  Random random(seed);
  std::vector<unsigned> threads(n), registers(n), shared(n);
  for (std::size_t k = 0; k < n; ++k) {
    const bool known = seed == 1 && k < kKnown;
    threads[k] = known ? kThreads[k] : 32 * static_cast<unsigned>(random.size(1, 32));
    registers[k] = known ? kRegisters[k] : 8 * static_cast<unsigned>(random.size(2, 8));
    shared[k] = known ? kShared[k] : 1024 * static_cast<unsigned>(random.size(0, 100));
  }
  in.set("threads", threads);
  in.set("registers", registers);
  in.set("shared", shared);
  return in;
}

void visible(Cases& cases) { cases.add(kKnown); }

void hidden(Cases& cases, Random& random) {
  for (int k = 0; k < 2; ++k) cases.add_random(random, 40, 64);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const auto threads = c.in.get<unsigned>("threads"), registers = c.in.get<unsigned>("registers"),
             shared = c.in.get<unsigned>("shared");
  std::vector<unsigned> expected(c.n);
  for (std::size_t k = 0; k < c.n; ++k) {
    const unsigned limits[] = {32, 2048 / threads[k], 65536 / (registers[k] * threads[k]),
                               228 * 1024 / (shared[k] + 1024)};
    unsigned blocks = limits[0];
    for (const unsigned limit : limits) blocks = limit < blocks ? limit : blocks;
    expected[k] = blocks * threads[k] / 32;
  }
  if (verdict.equal<unsigned>(out, "warps", expected) || !out.has<unsigned>("warps")) return;
  const auto actual = out.get<unsigned>("warps");
  std::size_t at = 0;
  while (actual[at] == expected[at]) ++at;
  verdict.because("wrong_value", "a block of " + std::to_string(threads[at]) + " threads with " +
                                     std::to_string(registers[at]) + " registers each and " +
                                     std::to_string(shared[at]) +
                                     " bytes of shared memory: " + std::to_string(expected[at]) +
                                     " warps fit, not " + std::to_string(actual[at]));
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
