// SPDX-License-Identifier: MIT
// Lesson 10: what its cures promise holds in every order of the threads, with weak memory, too; a wait
// that is cut off leaves nothing behind; and what is wrong is found.
#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include "common/device_buffer.cuh"
#include "lessons/10_thread_scheduling/handover.cuh"
#include "lessons/10_thread_scheduling/patience.cuh"
#include "lessons/10_thread_scheduling/promises.cuh"
#include "support/catch.hpp"
#include "support/device.hpp"

using course::DeviceBuffer;
using namespace lesson10;

namespace {

// The order of the threads, and weak memory; only the emulator can choose.
class Order {
 public:
  explicit Order(unsigned seed) {
    const char* const kind = seed % 2 != 0 ? "random:" : "pct:";
    setenv("WARPLADDER_SCHEDULE", (kind + std::to_string(seed)).c_str(), 1);
    setenv("WARPLADDER_MEMORY", "weak", 1);
  }
  ~Order() {
    unsetenv("WARPLADDER_SCHEDULE");
    unsetenv("WARPLADDER_MEMORY");
  }
};

Words after(void (*kernel)(Words*, Endless), int blocks, int threads) {
  DeviceBuffer<Words> w(1);
  COURSE_CHECK(cudaMemset(w.data(), 0, w.bytes()));
  kernel<<<blocks, threads>>>(w.data(), Endless{});
  COURSE_CHECK(cudaGetLastError());
  return w.download()[0];
}
// The emulator sees at once that nobody comes, and reports it: there the CPU has no patience at all.
Words after_cut_off(void (*kernel)(Words*, UntilCutOff), int blocks, int threads) {
  DeviceBuffer<Words> w(1);
  COURSE_CHECK(cudaMemset(w.data(), 0, w.bytes()));
  const Patience patience(std::chrono::milliseconds(support::device().emulated ? 0 : 20));
  if (support::device().emulated)
    while (*static_cast<const volatile unsigned*>(patience.word()) == 0) {
    }
  kernel<<<blocks, threads>>>(w.data(), UntilCutOff{patience.word()});
  COURSE_CHECK(cudaGetLastError());
  return w.download()[0];
}
Words after_so_long(void (*kernel)(Words*, ForSoLong), int blocks, int threads) {
  DeviceBuffer<Words> w(1);
  COURSE_CHECK(cudaMemset(w.data(), 0, w.bytes()));
  kernel<<<blocks, threads>>>(w.data(), ForSoLong{support::device().emulated ? 5000 : 2'000'000});
  COURSE_CHECK(cudaGetLastError());
  return w.download()[0];
}

void check_cures() {
  CHECK(after(lane_waits_for_lane, 1, 2).flag == 1);
  CHECK(after(lanes_take_a_lock, 1, 6).count == 6);
  CHECK(after(lanes_take_turns, 1, 6).count == 6);
  CHECK(after(uncrossed, 1, 32).flag == 1);
  CHECK(after(without_lane_0, 1, 32).flag == 1);
  CHECK(after(two_barriers<true>, 1, 32).gave_up == 0);
  CHECK(after(first_waits_for_last, 1, 64).flag == 1);
  const Words tickets = after(by_ticket, 5, 1);
  CHECK(tickets.count == 5);
  CHECK(tickets.flag == 5);
}

template <class Way>
bool all_hear(unsigned count) {
  DeviceBuffer<unsigned> out(Way::kThreads);
  COURSE_CHECK(cudaMemset(out.data(), 0xcd, out.bytes()));
  hand_over<Way><<<1, 2 * Way::kThreads>>>(count, out.data());
  COURSE_CHECK(cudaGetLastError());
  const auto got = out.download();
  for (unsigned rank = 0; rank < got.size(); ++rank)
    if (got[rank] != right_answer<Way>(count, rank)) return false;
  return true;
}
void check_handover(unsigned count) {
  CHECK(all_hear<Flags<true>>(count));
  CHECK(all_hear<Flags<false>>(count));
  CHECK(all_hear<Numbers>(count));
  CHECK(all_hear<Mbarriers>(count));
}

// SCHEDULING_SEEDS: how many orders of the threads are tried.
unsigned seeds() {
  const char* const asked = std::getenv("SCHEDULING_SEEDS");
  return asked != nullptr ? static_cast<unsigned>(std::atoi(asked)) : 4;
}

}  // namespace

TEST_CASE("threads wait for each other, and messages arrive") {
  check_cures();
  for (const unsigned count : {0u, 1u, 4u, 5u, 77u}) check_handover(count);
}

TEST_CASE("cures of deadlocks and messages hold in every order of the threads") {
  if (!support::device().emulated) return;
  for (unsigned seed = 1; seed <= seeds(); ++seed) {
    INFO("seed " << seed);
    const Order order(seed);
    check_cures();
    check_handover(6);
  }
}

TEST_CASE("a word without an order is seen before its message, in some order of the threads") {
  if (!support::device().emulated) return;
  unsigned lost_in_a_warp = 0, lost_between_warps = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Order order(seed);
    lost_in_a_warp += !all_hear<FlagsWithoutOrder<true>>(6);
    lost_between_warps += !all_hear<FlagsWithoutOrder<false>>(6);
  }
  CHECK(lost_in_a_warp > 0);
  CHECK(lost_between_warps > 0);
}

TEST_CASE("a deadlock that is cut off leaves nothing behind") {
  CHECK(after_cut_off(crossed, 1, 32).gave_up == 1);
  CHECK(after_cut_off(two_barriers<false>, 1, 32).gave_up >= 1);
  CHECK(after_cut_off(waits, 1, 1).gave_up == 1);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(after_so_long(crossed, 1, 32).gave_up == 1);
  if (!support::device().emulated) {
    CHECK(after_cut_off(lane_waits_for_lane, 1, 4).gave_up == 0);
    CHECK(after_cut_off(without_lane_0, 1, 32).gave_up == 0);
    CHECK(after_cut_off(two_barriers<true>, 1, 32).gave_up == 0);
    CHECK(after_cut_off(uncrossed, 1, 32).gave_up == 0);
    return;
  }
  const Words right = after_so_long(uncrossed, 1, 32);
  CHECK(right.gave_up == 0);
  CHECK(right.flag == 1);
}
