// SPDX-License-Identifier: MIT
// Blocks that are alike, and blocks that are not.
#include "timing/tail.hpp"

#include <vector>

#include "support/catch.hpp"

namespace emu::observe {
namespace {

TEST_CASE("one block more than fits makes one multiprocessor work twice") {
  const std::vector<Workload::Block> blocks(9, {100, 800});
  const Tail tail = find_tail(blocks, {8, 8}, 100, 0);
  CHECK(tail.path == 1);  // the model of the path knows how often the GPU is filled
  CHECK(tail.work == Approx(16.0 / 9));
  CHECK(tail.longest == 100);
}

TEST_CASE("a block with ten times the work is waited for") {
  std::vector<Workload::Block> blocks(8, {100, 100});
  blocks[3] = {1000, 1000};
  const Tail tail = find_tail(blocks, {8, 8}, 200, 0);
  CHECK(tail.path == Approx(1000 / 212.5));
  CHECK(tail.work == Approx(1000 / 212.5));
}

TEST_CASE("long blocks that begin late cost more than those that begin early") {
  std::vector<Workload::Block> late(32, {100, 100}), early(late);
  late.back() = early.front() = {800, 800};
  CHECK(find_tail(late, {8, 8}, 100, 0).path > find_tail(early, {8, 8}, 100, 0).path);
}

TEST_CASE("what only one block does, and whose time is known, does not count again") {
  std::vector<Workload::Block> blocks(64, {100, 100});
  blocks[63] = {400, 400};
  CHECK(find_tail(blocks, {64, 8}, 100, 300).path == 1);
}

TEST_CASE("of nothing nothing is said") {
  const Tail tail = find_tail({}, {8, 8}, 100, 0);
  CHECK(tail.path == 1);
  CHECK(tail.work == 1);
}

}  // namespace
}  // namespace emu::observe
