// SPDX-License-Identifier: MIT
// The settings that say which GPUs there are, who reaches whom, and who fails.
#include "cudart/environment/machine.hpp"

#include "support/catch.hpp"

using namespace emu::cudart;

TEST_CASE("one H200 where nothing is said") {
  const Machine m = read_machine("", "", "", "");
  REQUIRE(m.gpus.size() == 1);
  CHECK(m.gpus[0]->id == "h200");
  CHECK(m.failing_launch == 0);
  CHECK(m.wrong.empty());
}

TEST_CASE("GPUs are named one by one, and names are used again") {
  CHECK(read_machine("t4", "3", "", "").gpus[2]->id == "t4");
  const Machine two = read_machine("h200,a100", "", "", "");
  REQUIRE(two.gpus.size() == 2);
  CHECK(two.gpus[1]->id == "a100");
  const Machine three = read_machine("h200,a100", "3", "", "");
  REQUIRE(three.gpus.size() == 3);
  CHECK(three.gpus[2]->id == "h200");
}

TEST_CASE("peers are all, none or pairs, in both directions and never oneself") {
  CHECK(read_machine("", "2", "", "").peers(0, 1));
  CHECK_FALSE(read_machine("", "2", "", "").peers(1, 1));
  CHECK_FALSE(read_machine("", "2", "none", "").peers(0, 1));
  const Machine pairs = read_machine("", "4", "0-1,3-2", "");
  CHECK(pairs.peers(1, 0));
  CHECK(pairs.peers(2, 3));
  CHECK_FALSE(pairs.peers(1, 2));
}

TEST_CASE("a device fails at its first launch, or at a later one") {
  CHECK(read_machine("", "2", "", "1").failing_launch == 1);
  const Machine later = read_machine("", "4", "", "3:7");
  CHECK(later.failing_device == 3);
  CHECK(later.failing_launch == 7);
}

TEST_CASE("what means nothing is said to, in one line") {
  CHECK(read_machine("h100", "", "", "").wrong.find("names no GPU") != std::string::npos);
  CHECK(read_machine("h200,", "", "", "").wrong.find("names no GPU") != std::string::npos);
  for (const char* count : {"0", "17", "two", "2x"})
    CHECK(read_machine("", count, "", "").wrong.find("from 1 to 16") != std::string::npos);
  for (const char* peers : {"some", "0-2", "0-0", "0-1-2", "0-1,", "-1"})
    CHECK(read_machine("", "2", peers, "").wrong.find("WARPLADDER_PEERS") == 0);
  for (const char* fail : {"2", "x", "1:0", "1:", "1:2:3"})
    CHECK(read_machine("", "2", "", fail).wrong.find("WARPLADDER_FAIL") == 0);
}
