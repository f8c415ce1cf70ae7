// SPDX-License-Identifier: MIT
// Exercise message_passing: n messages of three words; every one must arrive whole.
#include "common/exercise/judge.hpp"

using namespace course::exercise;

namespace {

Arrays input(std::size_t n, std::uint64_t seed) {
  Arrays in;
  in.set("sent", Random(seed).ints(3 * n, 1, 1000000));  // no zeros: an empty box holds them
  in.set("boxes", std::vector<int>(4 * n, 0));
  return in;
}

void visible(Cases& cases) {
  for (const std::size_t n : {0, 1, 2, 32, 33, 64}) cases.add(n);
}

void hidden(Cases& cases, Random& random) {
  for (int k = 0; k < 3; ++k) cases.add_random(random, 3, 90);
}

void judge(const Case& c, const Arrays& out, Judgement& verdict) {
  const std::vector<int> sent = c.in.get<int>("sent");
  if (verdict.equal<int>(out, "received", sent) || !out.has<int>("received")) return;
  const std::vector<int> received = out.get<int>("received");
  for (std::size_t i = 0; i < sent.size() && i < received.size(); ++i) {
    if (received[i] == sent[i]) continue;
    if (received[i] == 0)
      verdict.because("wrong_value", "word " + std::to_string(i % 3) + " of message " +
                                         std::to_string(i / 3) +
                                         " is the 0 that was in the box before the message: the "
                                         "receiver read a word too early, or an old one");
    return;
  }
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv, {input, visible, hidden, judge, 0});
}
