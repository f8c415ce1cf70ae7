// SPDX-License-Identifier: MIT
// Exercise count_atomics: the kernels played thread by thread, and their additions counted.
#include "common/exercise/judge.hpp"

#include <algorithm>
#include <numeric>

using namespace course::exercise;

namespace {

// Threads of a block, and blocks of per_thread. The seed chooses, so that a case is named by n and
// seed alone.
constexpr unsigned kShapes[][2] = {{256, 4}, {64, 2}, {128, 8}, {32, 3}};

Arrays input(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  Arrays in;
  in.set("in", random.ints(n, 1, 1000));
  const auto& shape = kShapes[(seed - 1) % std::size(kShapes)];
  in.set_one("block", shape[0]);
  in.set_one("blocks", shape[1]);
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {1000, 1024, 100}) cases.add(n);
}

void hidden(Cases& cases, Random& random) {
  cases.add(1, 2);
  for (int k = 0; k < 4; ++k) cases.add_random(random, 2, 3000);
}

std::vector<unsigned> count(unsigned n, unsigned block, unsigned few) {
  unsigned global_atomic = 0, shared_atomic = 0, in_a_block = 0;
  for (unsigned first = 0; first < n; first += block) {
    unsigned queue = 0;
    for (unsigned i = first; i < first + block; ++i) queue += i < n;
    global_atomic += queue;
    shared_atomic += 1;
    in_a_block = std::max(in_a_block, queue);
  }
  return {global_atomic, shared_atomic, in_a_block, few * block};
}

const char* reason(const std::vector<unsigned>& got, const std::vector<unsigned>& right,
                   unsigned n) {
  if (got[0] != right[0]) return "global_atomic: each element is added to the total once";
  if (got[1] != right[1] && got[1] >= right[2])
    return "shared_atomic: who adds to *total, every thread or one of each block?";
  if (got[1] != right[1])
    return "shared_atomic: the last block counts, even if it is only partly filled";
  if (got[2] != right[2] && n < got[2])
    return "in_a_block: a thread past the end does not add; how many elements are there?";
  if (got[2] != right[2])
    return "in_a_block: each thread of a full block adds its element to block_total";
  if (got[3] == n && n > right[3])
    return "per_thread: a thread adds many elements to `mine`, and `mine` once";
  return "per_thread: which threads come to its last line?";
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const std::vector<int> in = c.in.get<int>("in");
  const int sum = std::accumulate(in.begin(), in.end(), 0);
  if (!verdict.equal<int>(out, "total", {3 * sum})) return;  // the kernels ran as they are
  const auto n = static_cast<unsigned>(c.n);
  const std::vector<unsigned> right =
      count(n, c.in.get<unsigned>("block")[0], c.in.get<unsigned>("blocks")[0]);
  if (verdict.equal<unsigned>(out, "queues", right) || !out.has<unsigned>("queues")) return;
  const std::vector<unsigned> got = out.get<unsigned>("queues");
  if (got.size() == right.size()) verdict.because("wrong_value", reason(got, right, n));
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
