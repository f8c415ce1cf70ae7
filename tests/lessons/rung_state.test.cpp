// SPDX-License-Identifier: MIT
// What a rung finds and what it leaves: it relies on nothing but its input and zero tickets, and
// the next launch finds the same.
#include <cstring>

#include "lessons/rung_checks.hpp"

using namespace rung_checks;

namespace {

constexpr std::size_t kSizes[] = {0, 1, 33, 1025, 70001};

template <class T>
std::vector<T> input(std::size_t n) {
  if constexpr (std::is_same_v<T, float>) {
    return course::exact_floats(n, 31);
  } else {
    return course::random_ints(n, 31);
  }
}

// Calls f(rung, trial, truth) for every rung, size and block size.
template <class T, class F>
void for_each_trial(F&& f) {
  for (const std::size_t n : kSizes) {
    const auto x = input<T>(n);
    const T truth = course::cpu_sum(std::span<const T>(x));
    for (const int block : kBlocks) {
      Trial<T> trial(x, block);
      for (const course::Rung* rung : rungs<T>()) {
        INFO(named(*rung, n, block));
        f(*rung, trial, truth);
      }
    }
  }
}

}  // namespace

TEMPLATE_TEST_CASE("the sum does not depend on what was in the result or the partial sums before",
                   "", float, int) {
  for_each_trial<TestType>([](const auto& rung, auto& trial, auto truth) {
    for (const int poison : {0x00, 0x7f, 0xcd, 0xff}) {
      INFO("poison " << poison);
      CHECK(trial.run(rung, poison) == truth);
    }
  });
}

TEMPLATE_TEST_CASE("the tickets are zero after each run", "", float, int) {
  const std::vector<unsigned> zero(course::kTickets, 0);
  for_each_trial<TestType>([&](const auto& rung, auto& trial, auto) {
    trial.run(rung);
    CHECK(trial.tickets() == zero);
  });
}

TEMPLATE_TEST_CASE("the input is left as it was", "", float, int) {
  for_each_trial<TestType>([](const auto& rung, auto& trial, auto) {
    const auto before = trial.input();
    trial.run(rung);
    CHECK(trial.input() == before);
  });
}

// Random floats: another order would round otherwise.
TEST_CASE("two launches in a row give the same bits, but where atomics choose the order") {
  for (const std::size_t n : kSizes) {
    const auto x = course::random_floats(n, 32);
    for (const int block : kBlocks) {
      Trial<float> trial(x, block);
      for (const course::Rung* rung : rungs<float>()) {
        if (ends_in_atomic(*rung) && !device().emulated) continue;
        INFO(named(*rung, n, block));
        const float once = trial.run(*rung), again = trial.run(*rung);
        CHECK(std::memcmp(&once, &again, sizeof once) == 0);
      }
    }
  }
}
