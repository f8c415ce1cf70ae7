// SPDX-License-Identifier: MIT
#include "decode/self_check.hpp"

#include <bit>
#include <cstdio>

#include "ptx/module.hpp"
#include "support/catch.hpp"

namespace emu::exec {
namespace {

std::string result(Substitute substitute = nullptr) {
  const auto failure = self_check(substitute);
  return failure ? failure->instruction + " " + failure->how : "";
}

// What GCC 12 for x86-64 made of mul.hi.s16: the product of unsigned numbers where lanes are off.
void unsigned_under_a_mask(Warp& w, const Instr& in, LaneMask mask) {
  auto* const d = w.lanes<std::uint16_t>(in.dst);
  const auto* const a = w.lanes<std::uint16_t>(in.src[0]);
  const auto* const b = w.lanes<std::uint16_t>(in.src[1]);
  const bool right = mask == kAllLanes || std::has_single_bit(mask);
  for (LaneMask m = mask; m; m &= m - 1) {
    const int i = first_lane(m);
    const std::uint32_t product = std::uint32_t{a[i]} * b[i];
    const std::int32_t signed_product =
        std::int32_t{static_cast<std::int16_t>(a[i])} * static_cast<std::int16_t>(b[i]);
    d[i] = static_cast<std::uint16_t>(right ? static_cast<std::uint32_t>(signed_product) >> 16
                                            : product >> 16);
  }
}

Handler right_handler = nullptr;

void but_for_lane_31(Warp& w, const Instr& in, LaneMask mask) {
  right_handler(w, in, mask == kAllLanes ? mask >> 1 : mask);
}
void into_a_lane_that_is_off(Warp& w, const Instr& in, LaneMask mask) {
  right_handler(w, in, std::has_single_bit(mask) ? mask : mask | 2);
}
void never(Warp&, const Instr&, LaneMask) {}

template <Handler kWrong>
Handler for_add(const ptx::Instruction& ins, Handler handler) {
  if (!ins.text.starts_with("add.u32")) return handler;
  right_handler = handler;
  return kWrong;
}

}  // namespace

TEST_CASE("this build computes what it should") {
  const auto failure = self_check();
  if (failure) {
    char answer[32];
    std::snprintf(answer, sizeof answer, "0x%016llx",
                  static_cast<unsigned long long>(failure->answer));
    FAIL(failure->instruction << " " << failure->how << ", lane by lane it gives " << answer);
  }
}

TEST_CASE("the self-check sees what GCC 12 did") {
  CHECK(result([](const ptx::Instruction& ins, Handler handler) {
          return ins.text.starts_with("mul.hi.s16") ? &unsigned_under_a_mask : handler;
        }) == "mul.hi.s16 with some lanes off");
}

TEST_CASE(
    "the self-check sees a lane left out, a lane too many, and an answer that is wrong in every "
    "way") {
  CHECK(result(&for_add<but_for_lane_31>) == "add.u32 with all lanes on");
  CHECK(result(&for_add<into_a_lane_that_is_off>) == "add.u32 with some lanes off");
  CHECK(result(&for_add<never>) == "add.u32 with one lane on");
}

TEST_CASE("the line for the terminal names the instruction, the compiler and ways out") {
  const std::string line = describe({"mul.hi.s16", "with some lanes off", 0});
  CHECK(line.find("mul.hi.s16 wrongly with some lanes off") != std::string::npos);
  CHECK(line.find(__VERSION__) != std::string::npos);
  CHECK(line.find("-DWARPLADDER_NATIVE=OFF") != std::string::npos);
  CHECK(line.find('\n') == std::string::npos);
}

}  // namespace emu::exec
