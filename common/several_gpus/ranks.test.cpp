// SPDX-License-Identifier: MIT
// Ranks, their devices and streams. On one device: what several do is tested with lesson 14.
#include "common/several_gpus/ranks.hpp"

#include "common/program/options.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"

using namespace course;

TEST_CASE("a rank has a device, streams of its own and room on it") {
  const Ranks ranks(1);
  REQUIRE(ranks.count() == 1);
  CHECK(ranks[0].device == 0);
  CHECK(ranks[0].stream != nullptr);
  CHECK(ranks[0].stream != ranks[0].copies);
  CHECK(ranks.no_peers() == nullptr);
  const int multiprocessors = support::device().multiprocessors;
  CHECK(ranks.blocks_at_once(1024) == multiprocessors);
  CHECK(ranks.blocks_at_once(256) == 4 * multiprocessors);
  CHECK(ranks.blocks_at_once(33) == 8 * multiprocessors);
  const RankBuffer<int> buffer(0, 3);
  buffer->upload({4, 5, 6});
  CHECK((*buffer).download() == std::vector<int>{4, 5, 6});
}

TEST_CASE("what lies between fork and join comes between what is on the default stream") {
  const Ranks ranks(1);
  const RankBuffer<unsigned> word(0, 1);
  COURSE_CHECK(cudaMemsetAsync(word->data(), 1, 4, nullptr));
  ranks.fork();
  COURSE_CHECK(cudaMemsetAsync(word->data(), 2, 4, ranks[0].stream));
  ranks.join();
  COURSE_CHECK(cudaMemsetAsync(word->data(), 3, 2, nullptr));
  CHECK(word->download()[0] == 0x02020303);
}

TEST_CASE("the emulator has no more ranks than devices") {
  if (!support::device().emulated) return;
  CHECK_THROWS_AS(Ranks(device_count() + 1), UsageError);
}

TEST_CASE("a device is the current one for as long as it is wanted") {
  int before = -1, after = -1;
  COURSE_CHECK(cudaGetDevice(&before));
  {
    const OnDevice here(device_count() - 1);
    COURSE_CHECK(cudaGetDevice(&after));
    CHECK(after == device_count() - 1);
  }
  COURSE_CHECK(cudaGetDevice(&after));
  CHECK(after == before);
}
