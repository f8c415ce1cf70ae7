// SPDX-License-Identifier: MIT
// What the lanes of a warp do together: shfl, vote, match, redux, activemask, elect, movmatrix, bar.warp.sync,
// with full and partial member masks.
#include <algorithm>

#include "tests/ptx_lanes.hpp"

namespace emu::tests {
namespace {

using U32 = std::uint32_t;
using U64 = std::uint64_t;

constexpr U32 kMasks[] = {0xffffffffu, 0x0000ffffu, 0x5a0f00f1u, 0x80000000u};

// Lanes of the mask execute the text, which reads %r10 (in[i]) and leaves %r11 and %p5; %r9 is the
// mask. Others keep 0x77.
Raw members(U32 mask, const std::string& text) {
  Raw raw;
  raw.body =
      "ld.global.u32 %r10, [%in4]; mov.u32 %r11, 0x77; setp.ne.u32 %p5, 0, 0; mov.u32 %r9, " +
      std::to_string(mask) +
      "; shr.u32 %r12, %r9, %t; and.b32 %r12, %r12, 1; setp.eq.u32 %p6, %r12, 0; @%p6 bra "
      "BEHIND;\n" +
      text +
      "\nBEHIND: selp.u32 %r13, 1, 0, %p5; mad.wide.u32 %rd1, %i, 8, %out; st.global.v2.u32 "
      "[%rd1], {%r11, %r13};";
  return raw;
}
struct Lane {
  U32 value = 0x77, predicate = 0;
  bool operator==(const Lane&) const = default;
};
std::vector<U32> inputs() {
  std::vector<U32> v;
  for (U32 i = 0; i < 32; ++i) v.push_back(i * 2654435761u ^ (i % 3 ? 0 : 0x80000000u));
  return v;
}
// want(lane) for the lanes of the mask.
template <class F>
void check(const Raw& raw, U32 mask, const std::vector<U32>& in, F&& want) {
  const auto out = run<Lane>(raw, in, std::vector<Lane>(32));
  std::vector<Lane> right;
  for (U32 i = 0; i < 32; ++i) right.push_back(mask >> i & 1 ? want(i) : Lane{});
  same(raw.body, out, right);
}

}  // namespace

// The manual's pseudo-code of shfl, word by word: bounds from c, lane from b.
ROW_TEST(shfl, "moves values by .up, .down, .bfly and .idx within segments") {
  const auto in = inputs();
  for (const U32 mask : kMasks)
    for (const std::string mode : {"up", "down", "bfly", "idx"})
      for (const U32 b : {0u, 1u, 3u, 16u, 31u})
        for (const U32 width : {32u, 8u}) {
          const U32 segment = 32 - width, c = (segment << 8) | (mode == "up" ? 0 : 31);
          const auto source = [&](U32 lane, bool& in_range) {
            const U32 max_lane = (lane & segment) | ((c & 31) & ~segment),
                      min_lane = lane & segment;
            int j = 0;
            if (mode == "up")
              j = static_cast<int>(lane) - static_cast<int>(b),
              in_range = j >= static_cast<int>(max_lane);
            if (mode == "down")
              j = static_cast<int>(lane + b), in_range = j <= static_cast<int>(max_lane);
            if (mode == "bfly")
              j = static_cast<int>(lane ^ b), in_range = j <= static_cast<int>(max_lane);
            if (mode == "idx")
              j = static_cast<int>(min_lane | (b & ~segment)),
              in_range = j <= static_cast<int>(max_lane);
            return in_range ? static_cast<U32>(j) : lane;
          };
          // Reading a lane outside the mask is undefined: such cases are left out.
          bool defined = true;
          for (U32 i = 0; i < 32; ++i) {
            bool in_range = false;
            if (mask >> i & 1) defined = defined && (mask >> source(i, in_range) & 1);
          }
          if (!defined) continue;
          const std::string text = "shfl.sync." + mode + ".b32 %r11|%p5, %r10, " +
                                   std::to_string(b) + ", " + std::to_string(c) + ", %r9;";
          check(members(mask, text), mask, in, [&](U32 i) {
            bool in_range = false;
            const U32 from = source(i, in_range);
            return Lane{in[from], in_range};
          });
        }
  // Another source for each lane, from registers.
  check(members(~0u,
                "and.b32 %r14, %r10, 31; mov.u32 %r15, 31; shfl.sync.idx.b32 %r11, %r10, %r14, "
                "%r15, %r9;"),
        ~0u, in, [&](U32 i) {
          return Lane{in[in[i] & 31], 0};
        });
}

ROW_TEST(vote, "gives all, any, uni and the ballot of the members") {
  std::vector<U32> in(32);
  for (const U32 mask : kMasks)
    for (const U32 set : {0u, ~0u, 0x0f0ff0f0u, 1u, 0x80000000u, 0x5a0f00f1u}) {
      for (U32 i = 0; i < 32; ++i) in[i] = set >> i & 1;
      const U32 yes = set & mask;
      const std::string test = "setp.ne.u32 %p1, %r10, 0; ";
      check(members(mask, test + "vote.sync.all.pred %p5, %p1, %r9;"), mask, in, [&](U32) {
        return Lane{0x77, yes == mask};
      });
      check(members(mask, test + "vote.sync.any.pred %p5, %p1, %r9;"), mask, in, [&](U32) {
        return Lane{0x77, yes != 0};
      });
      check(members(mask, test + "vote.sync.uni.pred %p5, %p1, %r9;"), mask, in, [&](U32) {
        return Lane{0x77, yes == 0 || yes == mask};
      });
      check(members(mask, test + "vote.sync.ballot.b32 %r11, %p1, %r9;"), mask, in, [&](U32) {
        return Lane{yes, 0};
      });
      check(members(mask, test + "vote.sync.all.pred %p5, !%p1, %r9;"), mask, in, [&](U32) {
        return Lane{0x77, yes == 0};
      });
    }
}

ROW_TEST(match, "finds the lanes with the same value") {
  std::vector<U32> in(32), equal(32, 9);
  for (U32 i = 0; i < 32; ++i) in[i] = i * i % 5;
  for (const U32 mask : kMasks) {
    const auto peers = [&](const std::vector<U32>& v, U32 lane) {
      U32 m = 0;
      for (U32 k = 0; k < 32; ++k) m |= static_cast<U32>((mask >> k & 1) && v[k] == v[lane]) << k;
      return m;
    };
    const std::string wide = "mov.b64 %rd5, {0, %r10}; ";
    for (const auto& v : {in, equal}) {
      check(members(mask, "match.any.sync.b32 %r11, %r10, %r9;"), mask, v, [&](U32 i) {
        return Lane{peers(v, i), 0};
      });
      check(members(mask, wide + "match.any.sync.b64 %r11, %rd5, %r9;"), mask, v, [&](U32 i) {
        return Lane{peers(v, i), 0};
      });
      const auto all = [&](U32 i) { return peers(v, i) == mask ? Lane{mask, 1} : Lane{0, 0}; };
      check(members(mask, "match.all.sync.b32 %r11|%p5, %r10, %r9;"), mask, v, all);
      check(members(mask, wide + "match.all.sync.b64 %r11|%p5, %rd5, %r9;"), mask, v, all);
    }
  }
}

ROW_TEST(redux, "reduces over the members") {
  const auto in = inputs();
  for (const U32 mask : kMasks) {
    const auto test = [&](const std::string& op, auto&& combine) {
      bool first = true;
      U32 r = 0;
      for (U32 i = 0; i < 32; ++i)
        if (mask >> i & 1) r = first ? in[i] : combine(r, in[i]), first = false;
      check(members(mask, "redux.sync." + op + " %r11, %r10, %r9;"), mask, in, [&](U32) {
        return Lane{r, 0};
      });
    };
    const auto s = [](U32 x) { return static_cast<std::int32_t>(x); };
    test("add.u32", [](U32 a, U32 b) { return a + b; });
    test("add.s32", [](U32 a, U32 b) { return a + b; });
    test("min.u32", [](U32 a, U32 b) { return std::min(a, b); });
    test("max.u32", [](U32 a, U32 b) { return std::max(a, b); });
    test("min.s32", [&](U32 a, U32 b) { return s(a) < s(b) ? a : b; });
    test("max.s32", [&](U32 a, U32 b) { return s(a) > s(b) ? a : b; });
    test("and.b32", [](U32 a, U32 b) { return a & b; });
    test("or.b32", [](U32 a, U32 b) { return a | b; });
    test("xor.b32", [](U32 a, U32 b) { return a ^ b; });
  }
}

ROW_TEST(activemask, "names the lanes that execute it together") {
  for (const U32 mask : kMasks)
    check(members(mask, "activemask.b32 %r11;"), mask, inputs(), [&](U32) {
      return Lane{mask, 0};
    });
}

ROW_TEST(elect, "chooses one member, the same for all") {
  for (const U32 mask : kMasks) {
    const auto out =
        run<Lane>(members(mask, "elect.sync %r11|%p5, %r9;"), inputs(), std::vector<Lane>(32));
    U32 chosen = 0;
    for (U32 i = 0; i < 32; ++i) {
      if (!(mask >> i & 1)) continue;
      CHECK((mask >> out[i].value & 1) == 1);
      CHECK(out[i].predicate == (out[i].value == i));
      chosen += out[i].predicate;
    }
    CHECK(chosen == 1);
  }
}

// The manual's picture: row i of the matrix is held by lanes 4 * i to 4 * i + 3, two columns in each.
ROW_TEST(movmatrix, "transposes an 8 x 8 matrix of 16-bit elements") {
  constexpr U32 kAll = 0xffffffffu;
  std::vector<U32> in;
  std::uint16_t matrix[8][8];
  for (U32 lane = 0; lane < 32; ++lane) {
    in.push_back(lane * 2654435761u);
    matrix[lane / 4][lane % 4 * 2] = static_cast<std::uint16_t>(in[lane]);
    matrix[lane / 4][lane % 4 * 2 + 1] = static_cast<std::uint16_t>(in[lane] >> 16);
  }
  check(members(kAll, "movmatrix.sync.aligned.m8n8.trans.b16 %r11, %r10;"), kAll, in,
        [&](U32 lane) {
          const U32 row = lane / 4, column = lane % 4 * 2;
          return Lane{matrix[column][row] | U32{matrix[column + 1][row]} << 16, 0};
        });
}

// Lanes that come to it on two ways meet there: the upper half waits for the lower.
ROW_TEST(movmatrix, "waits for all lanes of the warp, and is its own inverse") {
  constexpr U32 kAll = 0xffffffffu;
  const auto in = inputs();
  check(members(kAll, R"(setp.lt.u32 %p7, %t, 16; @%p7 bra LOW;
      movmatrix.sync.aligned.m8n8.trans.b16 %r11, %r10; bra.uni BOTH;
      LOW: movmatrix.sync.aligned.m8n8.trans.b16 %r11, %r10;
      BOTH: movmatrix.sync.aligned.m8n8.trans.b16 %r11, %r11;)"),
        kAll, in, [&](U32 lane) {
          return Lane{in[lane], 0};
        });
}

ROW_TEST(bar_warp, "lets the members see what others wrote before it") {
  for (const U32 mask : kMasks)
    check(members(mask,
                  R"(.shared .b32 tile[32]; mov.u32 %r14, tile; mad.lo.u32 %r15, %t, 4, %r14;
      st.shared.u32 [%r15], %r10; bar.warp.sync %r9;
      xor.b32 %r15, %t, 1; mad.lo.u32 %r15, %r15, 4, %r14; ld.shared.u32 %r11, [%r15];)"),
          mask, inputs(), [&](U32 i) {
            return (mask >> (i ^ 1) & 1) ? Lane{inputs()[i ^ 1], 0} : Lane{0xcdcdcdcd, 0};
          });
}

ROW_TEST(shfl, "of divergent lanes waits for all members") {
  Raw raw;
  raw.body =
      R"(and.b32 %r2, %t, 1; setp.ne.u32 %p1, %r2, 0; @%p1 bra ODD; add.u32 %r3, %t, 100;
      shfl.sync.bfly.b32 %r4, %r3, 1, 31, -1; bra END;
    ODD: add.u32 %r3, %t, 200; shfl.sync.bfly.b32 %r4, %r3, 1, 31, -1;
      END: st.global.u32 [%out4], %r4;)";
  const auto out = run<U32>(raw, 32);
  for (U32 i = 0; i < 32; ++i) CHECK(out[i] == (i ^ 1) + (i % 2 ? 100 : 200));
}

ROW_TEST(shfl, "from a lane that has exited gives what is seen, not 0") {
  Raw raw;
  raw.body =
      R"(setp.ge.u32 %p1, %t, 16; @%p1 exit; add.u32 %r3, %t, 100;
      shfl.sync.bfly.b32 %r4, %r3, 16, 31, -1; st.global.u32 [%out4], %r4;)";
  const auto out = run<U32>(raw, 32);
  for (U32 i = 0; i < 16; ++i) CHECK(out[i] == 0xcdcdcdcd);
}

}  // namespace emu::tests
