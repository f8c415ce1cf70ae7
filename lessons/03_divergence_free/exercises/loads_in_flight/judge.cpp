// SPDX-License-Identifier: MIT
// Exercise loads_in_flight: n memories and kernels.
#include "common/exercise/judge.hpp"

using namespace course::exercise;

namespace {

constexpr unsigned kBandwidth[] = {1000, 1000, 1000, 4000, 4000, 300};
constexpr unsigned kLatency[] = {500, 500, 501, 600, 600, 400};
constexpr unsigned kThreads[] = {125000, 31250, 31250, 270336, 33792, 20480};
constexpr unsigned kBytes[] = {4, 4, 16, 4, 16, 16};
constexpr std::size_t kKnown = std::size(kBandwidth);

Arrays input(std::size_t n, std::uint64_t seed) {
  Arrays in;
  Random random(seed);
  std::vector<unsigned> bandwidth(n), latency(n), threads(n), bytes(n);
  for (std::size_t k = 0; k < n; ++k) {
    const bool known = seed == 1 && k < kKnown;
    bandwidth[k] = known ? kBandwidth[k] : static_cast<unsigned>(random.size(100, 5000));
    latency[k] = known ? kLatency[k] : static_cast<unsigned>(random.size(200, 800));
    threads[k] = known ? kThreads[k] : 32 * static_cast<unsigned>(random.size(100, 8448));
    bytes[k] = known ? kBytes[k] : 4u << random.size(0, 2);
  }
  in.set("bandwidth", bandwidth);
  in.set("latency", latency);
  in.set("threads", threads);
  in.set("bytes", bytes);
  return in;
}

void visible(Cases& cases) { cases.add(kKnown); }

void hidden(Cases& cases, Random& random) {
  for (int k = 0; k < 2; ++k) cases.add_random(random, 40, 64);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const auto bandwidth = c.in.get<unsigned>("bandwidth"), latency = c.in.get<unsigned>("latency"),
             threads = c.in.get<unsigned>("threads"), bytes = c.in.get<unsigned>("bytes");
  std::vector<unsigned> expected(c.n);
  for (std::size_t k = 0; k < c.n; ++k)
    while (expected[k] * threads[k] * bytes[k] < bandwidth[k] * latency[k]) ++expected[k];
  if (verdict.equal<unsigned>(out, "loads", expected) || !out.has<unsigned>("loads")) return;
  const auto actual = out.get<unsigned>("loads");
  std::size_t at = 0;
  while (actual[at] == expected[at]) ++at;
  verdict.because("wrong_value", std::to_string(bandwidth[at]) + " bytes per ns, " +
                                     std::to_string(latency[at]) + " ns, " +
                                     std::to_string(threads[at]) + " threads, loads of " +
                                     std::to_string(bytes[at]) + " bytes: each thread needs " +
                                     std::to_string(expected[at]) + " in flight, not " +
                                     std::to_string(actual[at]));
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
