// SPDX-License-Identifier: MIT
// Which local memory of the PTX counts: not what ptxas keeps in registers or takes from the constants.
#include "counters/ptxas/local_arrays.hpp"

#include <string>

#include "counters/counting.hpp"
#include "engine/run_ptx.test.hpp"

namespace emu::observe {
namespace {

using exec::testing::Run;

// Each thread fills an array of `words` and reads the word of which it finds the number.
std::uint64_t local_sectors(int words, const std::string& type, const std::string& value) {
  const int size = type == "u8" ? 1 : type == "u64" ? 8 : 4;
  std::string body = ".local .align 8 .b8 a[" + std::to_string(words * size) +
                     "]; mov.u64 %rd1, a; mad.wide.u32 %rd2, %i, 4, %out; "
                     "ld.global.u32 %r4, [%rd2]; " +
                     value;
  for (int k = 0; k < words; ++k)
    body += "st.local." + type + " [%rd1+" + std::to_string(k * size) + "], %v; ";
  body += "mad.wide.u32 %rd3, %r4, " + std::to_string(size) + ", %rd1; ld.local." + type +
          " %v, [%rd3]; cvt.u32." + type + " %r5, %v; st.global.u32 [%rd2], %r5;";
  Run run(body);
  run.grid(1).block(32);
  Counting counting;
  run.request.observer = &counting;
  run.words(32);
  const LaunchCounts& c = counting.last();
  return c.counts[Counter::LocalLdSectors] + c.counts[Counter::LocalStSectors];
}
const std::string kLoaded = ".reg .u32 %v; mov.u32 %v, %r4; ";

}  // namespace

TEST_CASE("up to four words are kept in registers, whichever of them is meant") {
  CHECK(local_sectors(2, "u32", kLoaded) == 0);
  CHECK(local_sectors(4, "u32", kLoaded) == 0);
  CHECK(local_sectors(5, "u32", kLoaded) == 6 * 4);
}

TEST_CASE("bytes and what is wider than a word stay in memory, however few they are") {
  CHECK(local_sectors(4, "u8", ".reg .u16 %v; cvt.u16.u32 %v, %r4; ") == 5 * 4);
  CHECK(local_sectors(2, "u64", ".reg .u64 %v; cvt.u64.u32 %v, %r4; ") == 3 * 8);
}

}  // namespace emu::observe
