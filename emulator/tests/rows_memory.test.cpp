// SPDX-License-Identifier: MIT
// Loads, stores, hints and instructions on addresses, in every space, type and vector width.
#include "tests/ptx_lanes.hpp"

namespace emu::tests {
namespace {

using U8 = std::uint8_t;
using U32 = std::uint32_t;
using U64 = std::uint64_t;

struct MemoryType {
  std::string name, reg;
  int bytes;
};
const std::vector<MemoryType> kTypes{
    {"b8", "%rs", 1},  {"u8", "%rs", 1},  {"s8", "%rs", 1},   {"b16", "%rs", 2}, {"u16", "%rs", 2},
    {"s16", "%rs", 2}, {"f16", "%rs", 2}, {"bf16", "%rs", 2}, {"b32", "%r", 4},  {"u32", "%r", 4},
    {"s32", "%r", 4},  {"f32", "%f", 4},  {"b64", "%rd", 8},  {"u64", "%rd", 8}, {"s64", "%rd", 8},
    {"f64", "%fd", 8}, {"b128", "%x", 16}};

std::vector<U8> noise(std::size_t n) {
  std::vector<U8> v(n);
  U32 state = 5;
  for (auto& b : v) b = static_cast<U8>((state = state * 1664525u + 1013904223u) >> 24);
  return v;
}
// "%r10" or "{%r10, %r11}".
std::string registers(const std::string& reg, int n) {
  const int first = reg == "%x" ? 0 : 10;
  if (n == 1) return reg + std::to_string(first);
  std::string s = "{";
  for (int i = 0; i < n; ++i) s += (i ? ", " : "") + reg + std::to_string(first + i);
  return s + "}";
}
void replace(std::string& s, const std::string& what, const std::string& with) {
  for (auto at = s.find(what); at != std::string::npos; at = s.find(what, at + with.size()))
    s.replace(at, what.size(), with);
}

// Copies through the text, in which V is the vector word, T the type, D the registers and B the
// bytes of a lane; %rd1 is the lane's place in the input, %rd2 in the output, %r2 = lane * B.
void copies(const std::string& text, const std::vector<int>& widths, const std::string& module = "",
            const std::vector<MemoryType>& types = kTypes) {
  for (const auto& type : types)
    for (const int n : widths) {
      if (n * type.bytes > 16 || (n > 1 && type.bytes == 16)) continue;
      Raw raw;
      raw.module = module;
      raw.block = {64, 1, 1};
      const int bytes = n * type.bytes;
      raw.body =
          "mul.lo.u32 %r2, %i, B; cvt.u64.u32 %rd3, %r2; add.u64 %rd1, %in, %rd3; add.u64 %rd2, "
          "%out, %rd3;\n" +
          text;
      replace(raw.body, "B;", std::to_string(bytes) + ";");
      replace(raw.body, ".V", n == 1 ? "" : ".v" + std::to_string(n));
      replace(raw.body, ".T", "." + type.name);
      replace(raw.body, "D$", registers(type.reg, n));
      const auto in = noise(static_cast<std::size_t>(64 * bytes));
      const auto out = run<U8>(raw, in, std::vector<U8>(in.size()));
      INFO(raw.body);
      CHECK((out == in));
    }
}

}  // namespace

ROW_TEST(ld, "reads every type and vector width from global, generic, shared and local memory") {
  copies("ld.global.V.T D$, [%rd1]; st.global.V.T [%rd2], D$;", {1, 2, 4});
  copies("cvta.global.u64 %rd1, %rd1; ld.V.T D$, [%rd1]; st.global.V.T [%rd2], D$;", {1, 2, 4});
  const std::string shared = ".shared .align 16 .b8 tile[1024];\n";
  copies(
      "mov.u32 %r3, tile; add.u32 %r3, %r3, %r2; ld.global.V.T D$, [%rd1]; st.shared.V.T [%r3], "
      "D$; ld.shared.V.T D$, [%r3]; "
      "st.global.V.T [%rd2], D$;",
      {1, 2, 4}, shared);
  copies(
      "mov.u64 %rd4, tile; cvta.shared.u64 %rd4, %rd4; add.u64 %rd4, %rd4, %rd3; ld.global.V.T D$, "
      "[%rd1]; st.V.T [%rd4], D$; "
      "ld.V.T D$, [%rd4]; st.global.V.T [%rd2], D$;",
      {1, 2, 4}, shared);
  copies(
      ".local .align 16 .b8 mine[32]; mov.u64 %rd4, mine; ld.global.V.T D$, [%rd1]; st.local.V.T "
      "[%rd4+16], D$; ld.local.V.T D$, [mine+16]; "
      "st.global.V.T [%rd2], D$;",
      {1, 2, 4});
  copies(
      ".local .align 16 .b8 mine[32]; mov.u64 %rd4, mine; cvta.local.u64 %rd4, %rd4; ld.global.V.T "
      "D$, [%rd1]; st.V.T [%rd4], D$; ld.V.T D$, [%rd4]; "
      "st.global.V.T [%rd2], D$;",
      {1, 2, 4});
}

ROW_TEST(ld, "accepts every ordering, scope and cache hint") {
  const std::vector<MemoryType> some{{"u32", "%r", 4}, {"f64", "%fd", 8}};
  for (const char* mods :
       {"weak", "volatile", "relaxed.cta", "relaxed.cluster", "relaxed.gpu", "relaxed.sys",
        "acquire.cta", "acquire.gpu", "acquire.sys", "mmio.relaxed.sys"})
    copies("ld." + std::string(mods) + ".global.V.T D$, [%rd1]; st.global.V.T [%rd2], D$;", {1, 2},
           "", some);
  for (const char* mods : {"nc", "ca", "cg", "cs", "lu", "cv", "nc.L1::evict_first",
                           "nc.L1::no_allocate.L2::128B", "L1::evict_last", "L2::64B", "L2::256B"})
    copies("ld.global." + std::string(mods) + ".V.T D$, [%rd1]; st.global.V.T [%rd2], D$;", {1, 2},
           "", some);
  copies(
      "createpolicy.fractional.L2::evict_last.b64 %rd5, 1.0; ld.global.L2::cache_hint.V.T D$, "
      "[%rd1], %rd5; "
      "st.global.L2::cache_hint.V.T [%rd2], D$, %rd5;",
      {1, 4}, "", some);
}

ROW_TEST(ld, "extends by the sign of its type into a wider register") {
  Raw raw;
  raw.block = {4, 1, 1};
  raw.body = R"(cvt.u64.u32 %rd4, %i; add.u64 %rd1, %in, %rd4; mad.wide.u32 %rd2, %i, 32, %out;
    ld.global.s8 %r2, [%rd1]; ld.global.u8 %r3, [%rd1]; ld.global.s8 %rd5, [%rd1];
      ld.global.u8 %rd6, [%rd1];
    st.global.v2.u32 [%rd2], {%r2, %r3}; st.global.v2.u64 [%rd2+16], {%rd5, %rd6};
    mad.wide.u32 %rd1, %i, 2, %in; ld.global.s16 %r4, [%rd1+4]; ld.global.u16 %r5, [%rd1+4];
      st.global.v2.u32 [%rd2+8], {%r4, %r5};)";
  const std::vector<U8> in{0x80, 0x7f, 0xff, 1, 0xff, 0x7f, 0, 0x80, 0xff, 0xff, 1, 0};
  const auto out = run<U64>(raw, in, std::vector<U64>(16));
  const auto pair = [](std::int32_t a, U32 b) {
    return static_cast<U64>(b) << 32 | static_cast<U32>(a);
  };
  const std::int8_t bytes[] = {-128, 127, -1, 1};
  const std::int16_t halves[] = {0x7fff, -32768, -1, 1};
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(out[4 * i] == pair(bytes[i], static_cast<U8>(bytes[i])));
    CHECK(out[4 * i + 1] == pair(halves[i], static_cast<std::uint16_t>(halves[i])));
    CHECK(out[4 * i + 2] == static_cast<U64>(std::int64_t{bytes[i]}));
    CHECK(out[4 * i + 3] == static_cast<U8>(bytes[i]));
  }
}

ROW_TEST(ld, "reads constant memory, kernel parameters and other blocks' shared memory") {
  Raw raw;
  raw.module = ".const .align 8 .u32 table[4] = {7, 8, 9, 10};";
  raw.body =
      R"(ld.const.u32 %r2, [table+4]; mov.u64 %rd1, table; ld.const.v2.u32 {%r3, %r4}, [%rd1+8];
      cvta.const.u64 %rd1, %rd1; ld.u32 %r5, [%rd1];
    st.global.v4.u32 [%out], {%r2, %r3, %r4, %r5}; ld.param.u64 %rd2, [p1];
      st.global.u64 [%rd2+16], %rd2; sub.u64 %rd3, %rd2, %out; st.global.u64 [%out+16], %rd3;)";
  CHECK(run<U32>(raw, 6) == std::vector<U32>{8, 9, 10, 7, 0, 0});
  Raw far;
  far.grid = far.cluster = {2, 1, 1};
  far.body =
      R"(.shared .align 4 .b32 mine[32]; mov.u32 %r2, %cluster_ctarank; mov.u32 %r3, mine;
      mad.lo.u32 %r3, %t, 4, %r3;
    st.shared.u32 [%r3], %i; barrier.cluster.arrive; barrier.cluster.wait; xor.b32 %r4, %r2, 1;
      mapa.shared::cluster.u32 %r5, %r3, %r4;
    ld.shared::cluster.u32 %r6, [%r5]; st.global.u32 [%out4], %r6; barrier.cluster.arrive;
      barrier.cluster.wait;)";
  const auto out = run<U32>(far, 64);
  for (U32 i = 0; i < 64; ++i) CHECK(out[i] == (i ^ 32));
}

ROW_TEST(ldu, "reads what is the same for all lanes") {
  std::vector<MemoryType> types;
  for (const auto& t : kTypes)
    if (t.name != "f16" && t.name != "bf16" && t.name != "b128") types.push_back(t);
  copies("ldu.global.V.T D$, [%rd1]; st.global.V.T [%rd2], D$;", {1, 2, 4}, "", types);
}

ROW_TEST(st, "cuts a wider register off and takes immediates") {
  Raw raw;
  raw.block = {1, 1, 1};
  raw.body =
      R"(mov.u32 %r2, 0x11223344; mov.u64 %rd1, 0x5566778899aabbcc; st.global.u8 [%out], %r2;
      st.global.b8 [%out+1], %rd1; st.global.s16 [%out+2], %rd1;
    st.global.u32 [%out+4], -2; st.global.v2.u32 [%out+8], {1, %r2};
      st.global.f32 [%out+16], 0f3F800000; st.global.u64 [%out+24], 5;)";
  const auto out = run<U32>(raw, 8);
  CHECK(out == std::vector<U32>{0xbbcccc44, 0xfffffffe, 1, 0x11223344, 0x3f800000, 0, 5, 0});
}

ROW_TEST(st, "writes every type and accepts every ordering, scope and cache hint") {
  copies("ld.global.V.T D$, [%rd1]; st.global.V.T [%rd2], D$;", {1, 2, 4});
  const std::vector<MemoryType> some{{"u32", "%r", 4}, {"f64", "%fd", 8}};
  for (const char* mods :
       {"weak", "volatile", "relaxed.cta", "relaxed.cluster", "relaxed.gpu", "relaxed.sys",
        "release.cta", "release.gpu", "release.sys", "mmio.relaxed.sys"})
    copies("ld.global.V.T D$, [%rd1]; st." + std::string(mods) + ".global.V.T [%rd2], D$;", {1, 2},
           "", some);
  for (const char* mods : {"wb", "cg", "cs", "wt", "L1::evict_first", "L1::no_allocate"})
    copies("ld.global.V.T D$, [%rd1]; st.global." + std::string(mods) + ".V.T [%rd2], D$;", {1, 2},
           "", some);
}

ROW_TEST(prefetch, "changes nothing") {
  copies(
      "prefetch.global.L1 [%rd1]; prefetch.global.L2 [%rd1]; prefetch.global.L2::evict_last "
      "[%rd1]; ld.global.V.T D$, [%rd1]; st.global.V.T [%rd2], D$;",
      {1}, "", {{"u32", "%r", 4}});
}
ROW_TEST(prefetchu, "changes nothing") {
  copies("prefetchu.L1 [%rd1]; ld.global.V.T D$, [%rd1]; st.global.V.T [%rd2], D$;", {1}, "",
         {{"u32", "%r", 4}});
}
ROW_TEST(applypriority, "changes nothing") {
  Raw raw;
  raw.body =
      "mad.wide.u32 %rd1, %t, 128, %in; applypriority.global.L2::evict_normal [%rd1], 128; "
      "ld.global.u32 %r2, [%rd1]; st.global.u32 [%out4], %r2;";
  std::vector<U32> in(32 * 32);
  for (U32 i = 0; i < in.size(); ++i) in[i] = i;
  const auto out = run<U32>(raw, in, std::vector<U32>(32));
  for (U32 i = 0; i < 32; ++i) CHECK(out[i] == 32 * i);
}
ROW_TEST(discard, "makes the content of its 128 bytes undefined and touches nothing else") {
  Raw raw;
  raw.block = {1, 1, 1};
  raw.body = "discard.global.L2 [%out+128], 128;";
  const auto out = run<U32>(raw, std::vector<U32>{0}, std::vector<U32>(96, 7));
  for (std::size_t i = 0; i < 32; ++i) {
    CHECK(out[i] == 7);
    CHECK(out[32 + i] != 7);
    CHECK(out[64 + i] == 7);
  }
}
ROW_TEST(createpolicy, "gives a policy that loads and stores accept") {
  Raw raw;
  raw.body =
      R"(createpolicy.fractional.L2::evict_first.b64 %rd1, 0.5;
      createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 %rd1, 1.0;
    ld.global.L2::cache_hint.u32 %r2, [%in4], %rd1;
      st.global.L2::cache_hint.u32 [%out4], %r2, %rd1;
    createpolicy.range.global.L2::evict_last.L2::evict_unchanged.b64 %rd1, [%in], 64, 128;)";
  std::vector<U32> in(32);
  for (U32 i = 0; i < 32; ++i) in[i] = 3 * i;
  CHECK(run<U32>(raw, in, std::vector<U32>(32)) == in);
}

ROW_TEST(cvta, "makes a generic address and back again") {
  Raw raw;
  raw.module = ".const .u32 seven = 7;";
  raw.block = {1, 1, 1};
  raw.body =
      R"(.shared .align 4 .b32 word; .local .align 4 .b32 mine; mov.u64 %rd1, word;
      cvta.shared.u64 %rd2, %rd1; cvta.to.shared.u64 %rd3, %rd2;
    cvta.shared::cta.u64 %rd4, %rd1; mov.u64 %rd5, mine; cvta.local.u64 %rd6, %rd5;
      cvta.to.local.u64 %rd7, %rd6; cvta.global.u64 %rd8, %out; cvta.to.global.u64 %rd9, %rd8;
    mov.u64 %rd10, seven; cvta.const.u64 %rd10, %rd10; ld.u32 %r2, [%rd10];
    setp.eq.u64 %p1, %rd1, %rd3; setp.eq.u64 %p2, %rd2, %rd4; setp.eq.u64 %p3, %rd5, %rd7;
      setp.eq.u64 %p4, %out, %rd9;
    selp.u32 %r3, 1, 0, %p1; selp.u32 %r4, 1, 0, %p2; selp.u32 %r5, 1, 0, %p3;
      selp.u32 %r6, 1, 0, %p4;
    st.global.v4.u32 [%out], {%r3, %r4, %r5, %r6}; st.global.u32 [%out+16], %r2;)";
  CHECK(run<U32>(raw, 5) == std::vector<U32>{1, 1, 1, 1, 7});
  CHECK(error_of({"cvta.shared.u32 %r2, %r3;"}).find("64 bits") != std::string::npos);
}

ROW_TEST(isspacep, "tells the space of a generic address") {
  Raw raw;
  raw.module = ".const .u32 seven = 7;";
  raw.block = {1, 1, 1};
  raw.body =
      R"(.shared .align 4 .b32 word; .local .align 4 .b32 mine; .reg .b32 %n; mov.u64 %rd1, word;
      cvta.shared.u64 %rd1, %rd1; mov.u64 %rd2, mine; cvta.local.u64 %rd2, %rd2;
    mov.u64 %rd3, seven; cvta.const.u64 %rd3, %rd3;)";
  for (const char* reg : {"%rd1", "%rd2", "%rd3", "%out"}) {
    raw.body += "mov.u32 %n, 0;\n";
    for (const char* space :
         {"shared", "local", "const", "global", "shared::cta", "shared::cluster"})
      raw.body += std::string("isspacep.") + space + " %p1, " + reg +
                  "; selp.u32 %r2, 1, 0, %p1; shl.b32 %n, %n, 1; or.b32 %n, %n, %r2;\n";
    raw.body += "st.global.u32 [%out], %n; add.u64 %out, %out, 4;\n";
  }
  CHECK(run<U32>(raw, 5) == std::vector<U32>{0b100011, 0b010000, 0b001000, 0b000100, 0});
}

ROW_TEST(mapa, "gives an address in the shared memory of another block") {
  for (const bool wide : {false, true}) {
    Raw raw;
    raw.grid = raw.cluster = {4, 1, 1};
    raw.block = {1, 1, 1};
    raw.body =
        R"(.shared .align 4 .b32 word; mov.u32 %r2, %cluster_ctarank; mul.lo.u32 %r3, %r2, 11;
      st.shared.u32 [word], %r3; barrier.cluster.arrive; barrier.cluster.wait;
      add.u32 %r4, %r2, 1; and.b32 %r4, %r4, 3;)";
    raw.body += wide ? "mov.u64 %rd1, word; cvta.shared.u64 %rd1, %rd1; mapa.u64 %rd2, %rd1, %r4; "
                       "ld.u32 %r5, [%rd2];"
                     : "mov.u32 %r6, word; mapa.shared::cluster.u32 %r7, %r6, %r4; "
                       "ld.shared::cluster.u32 %r5, [%r7];";
    raw.body += "st.global.u32 [%out4], %r5; barrier.cluster.arrive; barrier.cluster.wait;";
    CHECK(run<U32>(raw, 4) == std::vector<U32>{11, 22, 33, 0});
  }
  CHECK(error_of({"mapa.shared::cluster.u32 %r2, %r3, 5;"}).find("the cluster has 1 block") !=
        std::string::npos);
}

ROW_TEST(getctarank, "tells the block that owns a shared address") {
  Raw raw;
  raw.grid = raw.cluster = {2, 1, 1};
  raw.block = {1, 1, 1};
  raw.body =
      R"(.shared .align 4 .b32 word; mov.u32 %r2, word; mapa.shared::cluster.u32 %r3, %r2, 1;
      getctarank.shared::cluster.u32 %r4, %r3; getctarank.shared::cluster.u32 %r5, %r2;
    mov.u64 %rd1, word; cvta.shared.u64 %rd1, %rd1; mapa.u64 %rd2, %rd1, 0;
      getctarank.u64 %r6, %rd2; getctarank.u64 %r7, %rd1;
    mad.wide.u32 %rd3, %i, 16, %out; st.global.v4.u32 [%rd3], {%r4, %r5, %r6, %r7};)";
  CHECK(run<U32>(raw, 8) == std::vector<U32>{1, 0, 0, 0, 1, 1, 0, 1});
}

}  // namespace emu::tests
