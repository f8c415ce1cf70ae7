// SPDX-License-Identifier: MIT
// Plans: the same for the same seed, within their bounds, and of every kind that the search counts on.
#include "lock_free/plan.hpp"

#include <set>

#include "lock_free/trace.hpp"
#include "support/catch.hpp"

using namespace lock_free;

namespace {

constexpr Shape kShapes[] = {Shape::Stack, Shape::Queue, Shape::Map, Shape::Lock, Shape::Message};

std::string whole(const Plan& plan) {
  std::string all = text(plan.before) + text(plan.after);
  for (const History& calls : plan.calls) all += text(calls);
  return all;
}

}  // namespace

TEST_CASE("a seed means one plan") {
  for (const Shape shape : kShapes) {
    CHECK(whole(make_plan(shape, 7)) == whole(make_plan(shape, 7)));
    CHECK(make_plan(shape, 7).threads() == make_plan(shape, 7).threads());
  }
  CHECK(whole(make_plan(Shape::Stack, 7)) != whole(make_plan(Shape::Stack, 8)));
}

TEST_CASE("plans are small, and all sizes and places occur") {
  std::set<std::uint32_t> capacities, threads, lanes, warps, blocks;
  bool wraps = false, starts_full = false, starts_empty = false;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    for (const Shape shape : kShapes) {
      const Plan plan = make_plan(shape, seed);
      REQUIRE(plan.calls.size() == plan.threads());
      REQUIRE(plan.size() >= plan.threads());  // everybody does something
      REQUIRE(plan.size() <= 16);
      REQUIRE(plan.size() + plan.before.size() + plan.after.size() <= kMaxOperations);
      REQUIRE(plan.threads() * plan.longest() <= 32);  // what a kernel's parameter has room for
      if (shape != Shape::Stack) continue;
      capacities.insert(plan.capacity);
      threads.insert(plan.threads());
      lanes.insert(plan.lanes);
      warps.insert(plan.warps);
      blocks.insert(plan.blocks);
      wraps = wraps || plan.version > 0xfffffff0;
      starts_full = starts_full || plan.before.size() == plan.capacity;
      starts_empty = starts_empty || plan.before.empty();
    }
  }
  CHECK(capacities == std::set<std::uint32_t>{1, 2, 3, 4, 5});
  CHECK(threads == std::set<std::uint32_t>{2, 3, 4, 6});
  CHECK(lanes == std::set<std::uint32_t>{1, 2, 3});
  CHECK(warps == std::set<std::uint32_t>{1, 2});
  CHECK(blocks == std::set<std::uint32_t>{1, 2, 3, 4});
  CHECK((wraps && starts_full && starts_empty));
}

TEST_CASE("every value that is pushed is another") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Plan plan = make_plan(Shape::Queue, seed);
    std::set<std::uint32_t> values;
    std::size_t pushes = 0;
    const auto look = [&](const History& calls) {
      for (const Operation& o : calls) {
        if (o.kind != Kind::Push) continue;
        values.insert(o.value);
        ++pushes;
      }
    };
    look(plan.before);
    for (const History& calls : plan.calls) look(calls);
    CHECK(values.size() == pushes);
  }
}

TEST_CASE("a trace loses the recorder's steps and gets names") {
  const std::string trace =
      "trace of k<<<1, 2>>>, schedule random:1\n"
      "    1  b0 t0     add relaxed.gpu       alloc9+0      0 -> 1            history.cuh:17    "
      "now\n"
      "    2  b0 t0     load acquire.gpu      alloc7+128    0                 stack.cuh:109     "
      "a();\n"
      "    3  b0 t0-1   warp barrier                                          stack.cuh:111     "
      "b();\n"
      "    4  b0 t1     load weak             alloc8+4      7 (now 9)         stack.cuh:112     "
      "c();\n"
      "end after 4 steps\n";
  const auto lines = readable(trace, [](std::size_t offset) {
    return offset == 128 ? std::string("free list") : std::string();
  });
  REQUIRE(lines.size() == 5);
  CHECK(lines[0] == "trace of k<<<1, 2>>>, schedule random:1");
  CHECK(lines[1] ==
        "    2  b0 t0    load acquire.gpu     free list     0                          "
        "stack.cuh:109");
  CHECK(lines[2].find("warp barrier") != std::string::npos);
  CHECK(lines[3].find("alloc8+4      7 (now 9) ") != std::string::npos);
  CHECK(lines[4] == "end after 4 steps");
}
