// SPDX-License-Identifier: MIT
// Exercise count_sectors: what each scan reads and writes, from what its launches do.
#include "common/exercise/judge.hpp"

using namespace course::exercise;

namespace {

constexpr unsigned kBlock = 256;

Arrays input(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  Arrays in;
  in.set("x", random.ints(n, 1, 1000));
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {8192, 65536}) cases.add(n);
}

void hidden(Cases& cases, Random& random) {
  for (int k = 0; k < 2; ++k) cases.add_random(random, 2, 9, 8192);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const auto n = static_cast<unsigned>(c.n);
  const unsigned array = n / 8, blocks = n / kBlock, warps = n / 32;
  const unsigned sums_read = blocks / 8, sums_stored = blocks + blocks / 8;
  const unsigned read = 2 * array + sums_read + warps;
  const std::vector<unsigned> right_read{read, read};
  const std::vector<unsigned> right_written{2 * array + sums_stored, array + sums_stored};
  if (!verdict.equal<unsigned>(out, "read", right_read)) {
    if (!out.has<unsigned>("read")) return;
    const std::vector<unsigned> got = out.get<unsigned>("read");
    if (got[0] == 2 * array + warps)
      verdict.because("wrong_value", "the one block of the second launch reads the sums, too");
    else if (got[0] == 2 * array + sums_read + blocks)
      verdict.because("wrong_value", "not once per block: every warp asks for the prefix");
    else
      verdict.because("wrong_value",
                      "what is read: a warp's 32 ints are four sectors, one word for "
                      "all lanes is one");
  } else if (!verdict.equal<unsigned>(out, "written", right_written)) {
    verdict.because("wrong_value", "what is written: an element by its thread, a sum by its block");
  }
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
