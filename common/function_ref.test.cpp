// SPDX-License-Identifier: MIT
// Whatever can be called can be handed down.
#include "common/function_ref.hpp"

#include <memory>

#include "support/catch.hpp"

using course::FunctionRef;

namespace {
int twice(int x) { return 2 * x; }
int apply(FunctionRef<int(int)> f, int x) { return f(x); }
struct Adder {
  int sum = 0;
  int operator()(int x) { return sum += x; }
};
}  // namespace

TEST_CASE("functions, pointers to them, lambdas and objects can be handed down") {
  CHECK(apply(twice, 4) == 8);
  CHECK(apply(&twice, 4) == 8);
  int (*const pointer)(int) = &twice;
  CHECK(apply(pointer, 4) == 8);
  const int three = 3;
  CHECK(apply([&](int x) { return three * x; }, 4) == 12);
}

TEST_CASE("the callable itself is called, not a copy of it") {
  Adder adder;
  CHECK(apply(adder, 4) == 4);
  CHECK(apply(adder, 4) == 8);
  CHECK(adder.sum == 8);
  const auto counting = [n = 0](int x) mutable { return n += x; };
  auto copy = counting;
  apply(copy, 1);
  CHECK(apply(copy, 1) == 2);
}

TEST_CASE("a reference to a callable can be handed down further") {
  const auto further = [](FunctionRef<int(int)> f) { return apply(f, 5); };
  CHECK(further(twice) == 10);
}

TEST_CASE("arguments that can only be moved arrive") {
  const auto take = [](std::unique_ptr<int> p) { return *p; };
  const FunctionRef<int(std::unique_ptr<int>)> f = take;
  CHECK(f(std::make_unique<int>(7)) == 7);
}

TEST_CASE("what is thrown comes out") {
  const auto fail = [](int) -> int { throw 1; };
  CHECK_THROWS_AS(apply(fail, 0), int);
}
