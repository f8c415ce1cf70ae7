// SPDX-License-Identifier: MIT
// Exercise warp_lock: the account must be exact and the lock free, with few warps and with many.
#include "common/exercise/judge.hpp"

#include <numeric>

using namespace course::exercise;

namespace {

Arrays input(std::size_t n, std::uint64_t seed) {
  Arrays in;
  in.set("amounts", Random(seed).ints(n, 1, 1000));  // no zeros: a lost amount must be seen
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {0, 1, 31, 32, 33, 64, 100, 256, 2048}) cases.add(n);
}

void hidden(Cases& cases, Random& random) {
  cases.add_random(random, 3, 12, 32);
  for (int k = 0; k < 2; ++k) cases.add_random(random, 130, 500);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const std::vector<int> amounts = c.in.get<int>("amounts");
  const int total = std::accumulate(amounts.begin(), amounts.end(), 0);
  const int warps = static_cast<int>((c.n + 31) / 32), entries = static_cast<int>(c.n);
  if (!verdict.equal<int>(out, "account", {total, entries, warps})) {
    if (!out.has<int>("account")) return;
    const std::vector<int> account = out.get<int>("account");
    if (account.size() == 3 && account[2] < warps)
      verdict.because("wrong_value",
                      "only " + std::to_string(account[2]) + " of " + std::to_string(warps) +
                          " warps are in the account: a warp added to old numbers, and what "
                          "another one had written is lost");
    return;
  }
  if (out.one<unsigned>("lock") != 0)
    verdict.fail("wrong_value", "the account is right, but the lock is still taken");
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 32});
}
