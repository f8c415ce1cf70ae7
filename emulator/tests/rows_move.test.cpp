// SPDX-License-Identifier: MIT
// mov in all its forms: copies, packing, symbols and special registers.
#include "tests/numbers.hpp"
#include "tests/ptx_lanes.hpp"

namespace emu::tests {
namespace {

using U16 = std::uint16_t;
using U32 = std::uint32_t;
using U64 = std::uint64_t;

template <class T>
void copies(std::initializer_list<const char*> types, const std::vector<T>& v) {
  for (const char* t : types) same(t, lanes<T>("mov." + std::string(t) + " %d, %a;", v), v, v);
}

}  // namespace

ROW_TEST(mov, "copies every type bit for bit") {
  copies<U16>({"b16", "u16", "s16", "f16", "bf16"}, edges<U16>());
  copies<U32>({"b32", "u32", "s32", "f32", "f16x2", "bf16x2"}, edges<U32>());
  copies<U64>({"b64", "u64", "s64", "f64"}, edges<U64>());
  copies<float>({"f32"}, float_edges());
  copies<double>({"f64"}, double_edges());
  copies<Bits128>({"b128"}, {{1, 2}, {~0ull, 0}, {0x0123456789abcdef, 0xfedcba9876543210}});
  copies<bool>({"pred"}, {true, false, true, true});
}

ROW_TEST(mov, "takes immediates of every kind") {
  const std::vector<U32> one{0};
  CHECK(lanes<U32>("mov.u32 %d, 4294967295;", one)[0] == 4294967295u);
  CHECK(lanes<U32>("mov.s32 %d, -7;", one)[0] == static_cast<U32>(-7));
  CHECK(lanes<U64>("mov.s64 %d, -7;", one)[0] == static_cast<U64>(-7));
  CHECK(lanes<U32>("mov.b32 %d, 0xdeadBEEF;", one)[0] == 0xdeadbeef);
  CHECK(lanes<U32>("mov.b32 %d, 0b1011;", one)[0] == 11);
  CHECK(lanes<U32>("mov.b32 %d, 017;", one)[0] == 15);
  CHECK(lanes<float>("mov.f32 %d, 0f3FC00000;", one)[0] == 1.5f);
  CHECK(lanes<double>("mov.f64 %d, 0dBFF8000000000000;", one)[0] == -1.5);
  CHECK(lanes<float>("mov.f32 %d, 2.5;", one)[0] == 2.5f);
  CHECK(lanes<double>("mov.f64 %d, 0f3FC00000;", one)[0] == 1.5);
}

ROW_TEST(mov, "packs and unpacks, lowest part first") {
  const std::vector<U16> h{0x1122, 0xffff, 0}, g{0x3344, 0, 0x8000};
  expect<U32>(
      "mov.b32 %d, {%a, %b};", [](U16 a, U16 b) { return a | static_cast<U32>(b) << 16; }, h, g);
  const std::vector<U32> w{0x11223344, ~0u, 0x80000001}, x{0x55667788, 0, 1};
  expect<U64>(
      "mov.b64 %d, {%a, %b};", [](U32 a, U32 b) { return a | static_cast<U64>(b) << 32; }, w, x);
  const auto [lo, hi] = lanes2<U16, U16>("mov.b32 {%d, %q}, %a;", w);
  CHECK(lo == std::vector<U16>{0x3344, 0xffff, 1});
  CHECK(hi == std::vector<U16>{0x1122, 0xffff, 0x8000});
  const std::vector<U64> l{0x1122334455667788, ~0ull, 1};
  const auto [a, b] = lanes2<U32, U32>("mov.b64 {%d, %q}, %a;", l);
  CHECK(a == std::vector<U32>{0x55667788, ~0u, 1});
  CHECK(b == std::vector<U32>{0x11223344, ~0u, 0});
  CHECK(lanes<U32>("mov.b64 {_, %d}, %a;", l) == b);
  expect<U64>(
      "{ .reg .b16 %h<4>; mov.b64 {%h0, %h1, %h2, %h3}, %a; mov.b64 %d, {%h3, %h2, %h1, %h0}; }",
      [](U64 v) { return v << 48 | (v & 0xffff0000) << 16 | (v >> 16 & 0xffff0000) | v >> 48; }, l);
  expect<U32>(
      "{ .reg .b8 %y<4>; mov.b32 {%y0, %y1, %y2, %y3}, %a; mov.b32 %d, {%y3, %y2, %y1, %y0}; }",
      [](U32 v) { return __builtin_bswap32(v); }, w);
  const auto [p, q] =
      lanes2<U64, U64>("mov.b128 {%d, %q}, %a;", std::vector<Bits128>{{5, 6}, {7, 8}});
  CHECK(p == std::vector<U64>{5, 7});
  CHECK(q == std::vector<U64>{6, 8});
  CHECK((lanes<Bits128>("mov.b128 %d, {%a, %b};", p, q) == std::vector<Bits128>{{5, 6}, {7, 8}}));
}

ROW_TEST(mov, "reads the special registers of thread, warp and block") {
  Raw raw;
  raw.grid = {3, 2, 1};
  raw.block = {8, 4, 2};
  raw.body = R"(
    mov.u32 %r2, %tid.x; mov.u32 %r3, %tid.y; mov.u32 %r4, %tid.z; mov.u32 %r5, %ctaid.x;
      mov.u32 %r6, %ctaid.y;
    mov.u32 %r7, %laneid; mov.u32 %r8, %warpid; mov.u32 %r9, %lanemask_lt;
      mov.u32 %r10, %nctaid.y; mov.u32 %r11, %ntid.z;
    mad.lo.u32 %r12, %r6, 3, %r5; mad.lo.u32 %r13, %r4, 4, %r3; mad.lo.u32 %r13, %r13, 8, %r2;
      mad.lo.u32 %r12, %r12, 64, %r13;
    mad.wide.u32 %rd1, %r12, 32, %out;
    st.global.v4.u32 [%rd1], {%r2, %r3, %r4, %r5};
      st.global.v4.u32 [%rd1+16], {%r7, %r8, %r9, %r10};)";
  const auto out = run<U32>(raw, 3 * 2 * 64 * 8);
  std::size_t wrong = 0;
  for (U32 block = 0; block < 6; ++block)
    for (U32 t = 0; t < 64; ++t) {
      const U32* v = &out[(block * 64 + t) * 8];
      wrong += v[0] != t % 8 || v[1] != t / 8 % 4 || v[2] != t / 32 || v[3] != block % 3 ||
               v[4] != t % 32 || v[5] != t / 32 || v[6] != (1u << t % 32) - 1 || v[7] != 2;
    }
  CHECK(wrong == 0);
}

ROW_TEST(mov, "gives the address of a symbol") {
  Raw raw;
  raw.module =
      ".global .align 4 .u32 counter[4] = {10, 20, 30, 40};\n.shared .align 8 .b8 tile[64];";
  raw.body = R"(mov.u64 %rd1, counter; ld.global.u32 %r2, [%rd1+8]; st.global.u32 [%out], %r2;
    mov.u32 %r3, tile; mov.u32 %r4, tile+8; sub.u32 %r4, %r4, %r3; st.global.u32 [%out+4], %r4;
    mov.u64 %rd2, counter+4; ld.global.u32 %r5, [%rd2]; st.global.u32 [%out+8], %r5;)";
  CHECK(run<U32>(raw, 3) == std::vector<U32>{30, 8, 20});
}

ROW_TEST(mov, "reads clocks that advance") {
  Raw raw;
  raw.body =
      R"(mov.u32 %r2, %clock; mov.u64 %rd1, %clock64; mov.u32 %r3, %clock; mov.u64 %rd2, %clock64;
      mov.u64 %rd3, %globaltimer;
    setp.lt.u32 %p1, %r2, %r3; setp.lt.u64 %p2, %rd1, %rd2; setp.le.u64 %p3, %rd2, %rd3;
      and.pred %p1, %p1, %p2; and.pred %p1, %p1, %p3;
    selp.u32 %r4, 1, 0, %p1; st.global.u32 [%out], %r4;)";
  CHECK(run<U32>(raw, 1)[0] == 1);
}

}  // namespace emu::tests
