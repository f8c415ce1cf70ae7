// SPDX-License-Identifier: MIT
#include <string>

#include "counters/counting.hpp"
#include "engine/run_ptx.test.hpp"

namespace emu::observe {
namespace {

using exec::testing::Run;

std::uint64_t loads(const std::string& code) {
  Run run(".reg .b16 %h<4>; .reg .f32 %g<4>; " + code);
  Counting counting;
  run.request.observer = &counting;
  run.words(4096);
  return counting.last().counts[Counter::GlobalLdRequests];
}

}  // namespace

TEST_CASE("loads of the same words are one, whatever they are taken for") {
  CHECK(loads("ld.global.nc.v2.u16 {%h1, %h2}, [%out]; ld.global.nc.u32 %r2, [%out];") == 1);
  CHECK(loads("ld.global.u32 %r2, [%out+4]; ld.global.v2.u32 {%r3, %r4}, [%out];") == 1);
  CHECK(loads("ld.global.u32 %r2, [%out+4]; ld.global.u64 %rd2, [%out];") == 2);
  CHECK(loads("ld.global.u32 %r2, [%out]; ld.global.nc.u32 %r3, [%out];") == 2);
  CHECK(loads("ld.volatile.global.u32 %r2, [%out]; ld.volatile.global.u32 %r3, [%out];") == 2);
}

TEST_CASE("a store parts loads of the same words, unless nobody writes what they read") {
  const std::string store = "st.global.u32 [%out4], 1;";
  CHECK(loads("ld.global.u32 %r2, [%out];" + store + "ld.global.u32 %r3, [%out];") == 2);
  CHECK(loads("ld.global.nc.u32 %r2, [%out];" + store + "ld.global.nc.u32 %r3, [%out];") == 1);
}

TEST_CASE(
    "halves of a word are one load if it is known to be aligned and a conversion takes them") {
  const std::string halves = "ld.global.u16 %h1, [%out+8]; ld.global.u16 %h2, [%out+10];";
  const std::string with_sign = "cvt.s32.s16 %r3, %h1; cvt.s32.s16 %r4, %h2;";
  CHECK(loads("ld.global.u32 %r2, [%out];" + halves + with_sign) == 2);
  CHECK(loads(halves + with_sign) == 2);
  CHECK(loads("ld.global.u32 %r2, [%out];" + halves +
              "cvt.u32.u16 %r3, %h1; cvt.u32.u16 %r4, %h2;") == 3);
}

}  // namespace emu::observe
