// SPDX-License-Identifier: MIT
// Moves, special registers, loads and stores of every type, width and space, addresses (PTX 9.7.9).
#include "vectors/catalogue.hpp"

namespace emu::vectors {
namespace {

using F = Family;
using Words = std::vector<std::string>;

struct MemoryType {
  std::string name, reg;
  int bytes;
};
// Not f16 and bf16: nvcc never emits them here and ptxas refuses them; the emulator takes them as b16.
const std::vector<MemoryType> kTypes{
    {"b8", "%rs", 1},  {"u8", "%rs", 1},  {"s8", "%rs", 1},  {"b16", "%rs", 2}, {"u16", "%rs", 2},
    {"s16", "%rs", 2}, {"b32", "%r", 4},  {"u32", "%r", 4},  {"s32", "%r", 4},  {"f32", "%f", 4},
    {"b64", "%rd", 8}, {"u64", "%rd", 8}, {"s64", "%rd", 8}, {"f64", "%fd", 8}, {"b128", "%x", 16}};
// One type of each width, for what is about something else than the type.
const std::vector<MemoryType> kFew{
    {"u8", "%rs", 1}, {"s16", "%rs", 2}, {"f32", "%f", 4}, {"b64", "%rd", 8}};
constexpr std::uint32_t kThreads = 32;

std::string registers(const std::string& reg, int n) {
  const int first = reg == "%x" ? 0 : 10;
  if (n == 1) return reg + std::to_string(first);
  std::string s = "{";
  for (int i = 0; i < n; ++i) s += (i ? ", " : "") + reg + std::to_string(first + i);
  return s + "}";
}
std::string replaced(std::string s, const std::string& what, const std::string& with) {
  for (auto at = s.find(what); at != std::string::npos; at = s.find(what, at + with.size()))
    s.replace(at, what.size(), with);
  return s;
}

// Copies through the text, in which .V is the vector word, .T the type and D$ the registers; %rd1 is
// the lane's place in the input, %rd2 in the output, %r2 and %rd3 its offset.
void copies(Builder& b, const std::string& row, const std::string& text,
            const std::vector<MemoryType>& types = kTypes,
            const std::vector<int>& widths = {1, 2, 4}) {
  for (const auto& type : types)
    for (const int n : widths) {
      const int bytes = n * type.bytes;
      if (bytes > 16) continue;
      Raw raw;
      std::string body = replaced(text, ".V", n == 1 ? "" : ".v" + std::to_string(n));
      body = replaced(replaced(body, ".T", "." + type.name), "D$", registers(type.reg, n));
      raw.module = ".shared .align 16 .b8 tile[512];";
      raw.body = ".local .align 16 .b8 mine[32];\nmul.lo.u32 %r2, %i, " + std::to_string(bytes) +
                 "; cvt.u64.u32 %rd3, %r2; add.u64 %rd1, %in, %rd3; add.u64 %rd2, %out, %rd3;\n"
                 "mov.u32 %r3, tile; add.u32 %r3, %r3, %r2; mov.u64 %rd4, mine;\n" +
                 body;
      b.raw(row, body, raw, kThreads * static_cast<std::size_t>(bytes), 512);
    }
}

void add_spaces(Builder& b) {
  const std::string out = " st.global.V.T [%rd2], D$;";
  copies(b, "ld", "ld.global.V.T D$, [%rd1];" + out);
  copies(b, "ld", "cvta.global.u64 %rd1, %rd1; ld.V.T D$, [%rd1];" + out);
  copies(b, "st", "ld.global.V.T D$, [%rd1]; st.V.T [%rd2], D$;");
  const std::string shared = "ld.global.V.T D$, [%rd1]; st.shared.V.T [%r3], D$; bar.sync 0; ";
  copies(b, "ld", shared + "ld.shared.V.T D$, [%r3];" + out);
  copies(b, "st",
         "mov.u64 %rd5, tile; cvta.shared.u64 %rd5, %rd5; add.u64 %rd5, %rd5, %rd3; ld.global.V.T "
         "D$, [%rd1]; st.V.T [%rd5], D$; bar.sync 0; ld.V.T D$, [%rd5];" +
             out,
         kFew);
  copies(b, "st",
         "ld.global.V.T D$, [%rd1]; st.local.V.T [%rd4+16], D$; ld.local.V.T D$, [mine+16];" + out);
  copies(b, "st",
         "cvta.local.u64 %rd4, %rd4; ld.global.V.T D$, [%rd1]; st.V.T [%rd4], D$; ld.V.T D$, "
         "[%rd4];" +
             out,
         kFew);
  std::vector<MemoryType> plain;
  for (const auto& t : kTypes)
    if (t.name != "b128") plain.push_back(t);
  copies(b, "ldu", "ldu.global.V.T D$, [%rd1];" + out, plain);
  for (const std::string m : {"volatile", "relaxed.gpu", "acquire.sys", "relaxed.cta"})
    copies(b, "ld", "ld." + m + ".global.V.T D$, [%rd1];" + out, kFew, {1, 2});
  for (const std::string m : {"nc", "ca", "cg", "cs", "lu", "cv"})
    copies(b, "ld", "ld.global." + m + ".V.T D$, [%rd1];" + out, kFew);
  for (const std::string m : {"volatile", "relaxed.gpu", "release.sys", "relaxed.cta"})
    copies(b, "st", "ld.global.V.T D$, [%rd1]; st." + m + ".global.V.T [%rd2], D$;", kFew, {1, 2});
  for (const std::string m : {"wb", "cg", "cs", "wt"})
    copies(b, "st", "ld.global.V.T D$, [%rd1]; st.global." + m + ".V.T [%rd2], D$;", kFew);
}

void add_widths(Builder& b) {
  Raw extend;  // sign or zero into a wider register
  extend.body =
      "cvt.u64.u32 %rd4, %i; add.u64 %rd1, %in, %rd4; mad.wide.u32 %rd2, %i, 48, %out;\n"
      "ld.global.s8 %r2, [%rd1]; ld.global.u8 %r3, [%rd1]; ld.global.s8 %rd5, [%rd1]; ld.global.u8 "
      "%rd6, [%rd1]; st.global.v2.u32 [%rd2], {%r2, %r3}; st.global.v2.u64 [%rd2+16], {%rd5, "
      "%rd6};\nmad.wide.u32 %rd1, %i, 4, %in; ld.global.s16 %r4, [%rd1]; ld.global.u16 %r5, "
      "[%rd1+2]; st.global.v2.u32 [%rd2+8], {%r4, %r5}; ld.global.s32 %rd7, [%rd1]; ld.global.u32 "
      "%rd8, [%rd1]; st.global.v2.u64 [%rd2+32], {%rd7, %rd8};";
  b.raw("ld", "ld into wider registers", extend, 32 * 48, 256);
  Raw cut;  // a wider register into memory
  cut.block = {1, 1, 1};
  cut.body =
      "ld.global.u32 %r2, [%in]; ld.global.u64 %rd1, [%in+8]; st.global.u8 [%out], %r2; "
      "st.global.b8 [%out+1], %rd1; st.global.s16 [%out+2], %rd1; st.global.u32 [%out+4], -2; "
      "st.global.v2.u32 [%out+8], {1, %r2}; st.global.f32 [%out+16], 0f3F800000; st.global.u64 "
      "[%out+24], 5; st.global.u16 [%out+20], %r2; st.global.u32 [%out+32], %rd1;";
  b.raw("st", "st of wider registers and immediates", cut, 48);
  Raw constant;
  constant.module =
      ".const .align 8 .u32 table[4] = {7, 8, 9, 10};\n.global .align 8 .f32 g[2] = "
      "{1.5, 0f40490fdb};";
  constant.block = {1, 1, 1};
  constant.body =
      "ld.const.u32 %r2, [table+4]; mov.u64 %rd1, table; ld.const.v2.u32 {%r3, %r4}, [%rd1+8]; "
      "cvta.const.u64 %rd1, %rd1; ld.u32 %r5, [%rd1]; st.global.v4.u32 [%out], {%r2, %r3, %r4, "
      "%r5}; ld.global.v2.f32 {%f1, %f2}, [g]; st.global.v2.f32 [%out+16], {%f1, %f2};";
  b.raw("ld", "ld.const and initialised variables", constant, 24);
}

void add_addresses(Builder& b) {
  Raw raw;
  raw.module = ".const .u32 seven = 7;";
  raw.block = {1, 1, 1};
  const std::string places =
      ".shared .align 4 .b32 word; .local .align 4 .b32 mine; mov.u64 %rd1, word; cvta.shared.u64 "
      "%rd1, %rd1; mov.u64 %rd2, mine; cvta.local.u64 %rd2, %rd2; mov.u64 %rd3, seven; "
      "cvta.const.u64 %rd3, %rd3;\n";
  raw.body = places;
  for (const std::string reg : {"%rd1", "%rd2", "%out"}) {
    raw.body += "mov.u32 %r3, 0;\n";
    for (const std::string space : {"shared", "local", "global", "shared::cta", "shared::cluster"})
      raw.body += "isspacep." + space + " %p1, " + reg +
                  "; selp.u32 %r2, 1, 0, %p1; shl.b32 %r3, %r3, 1; or.b32 %r3, %r3, %r2;\n";
    raw.body += "st.global.u32 [%out], %r3; add.u64 %out, %out, 4;\n";
  }
  b.raw("isspacep", "isspacep of shared, local and global addresses", raw, 12);
  raw.body =
      places +
      "mov.u64 %rd4, word; cvta.to.shared.u64 %rd5, %rd1; mov.u64 %rd6, mine; cvta.to.local.u64 "
      "%rd7, %rd2; cvta.global.u64 %rd8, %out; cvta.to.global.u64 %rd9, %rd8; "
      "cvta.shared::cta.u64 %rd10, %rd4; ld.u32 %r2, [%rd3]; sub.u64 %rd4, %rd4, %rd5; "
      "sub.u64 %rd6, %rd6, %rd7; sub.u64 %rd9, %rd9, %out; sub.u64 %rd10, %rd10, %rd1;\n"
      "st.global.v2.u64 [%out], {%rd4, %rd6}; st.global.v2.u64 [%out+16], {%rd9, %rd10}; "
      "st.global.u32 [%out+32], %r2;";
  b.raw("cvta", "cvta there and back", raw, 36);
  Raw far;
  far.grid = far.cluster = {4, 1, 1};
  far.block = {1, 1, 1};
  far.body =
      ".shared .align 4 .b32 word; mov.u32 %r2, %cluster_ctarank; mul.lo.u32 %r3, %r2, 11; "
      "st.shared.u32 [word], %r3; barrier.cluster.arrive; barrier.cluster.wait; add.u32 %r4, %r2, "
      "1; and.b32 %r4, %r4, 3; mov.u64 %rd1, word; cvta.shared.u64 %rd1, %rd1; mapa.u64 %rd2, "
      "%rd1, %r4; ld.u32 %r5, [%rd2]; mov.u32 %r6, word; mapa.shared::cluster.u32 %r7, %r6, %r4; "
      "ld.shared::cluster.u32 %r8, [%r7]; getctarank.shared::cluster.u32 %r9, %r7; getctarank.u64 "
      "%r10, %rd2; getctarank.u64 %r11, %rd1; mad.wide.u32 %rd3, %i, 20, %out; st.global.u32 "
      "[%rd3], %r5; st.global.u32 [%rd3+4], %r8; st.global.u32 [%rd3+8], %r9; st.global.u32 "
      "[%rd3+12], %r10; st.global.u32 [%rd3+16], %r11; barrier.cluster.arrive; "
      "barrier.cluster.wait;";
  b.raw("mapa", "mapa and loads from the next block of the cluster", far, 80);
  far.body += " getctarank.shared::cluster.u32 %r12, %r6; st.global.u32 [%rd3+16], %r12;";
  b.raw("getctarank", "getctarank of the own and the next block's address", far, 80);
}

// Registers that the launch shape defines.
void add_specials(Builder& b) {
  const Words names{"tid.x",
                    "tid.y",
                    "tid.z",
                    "ctaid.x",
                    "ctaid.y",
                    "ctaid.z",
                    "ntid.x",
                    "ntid.y",
                    "ntid.z",
                    "nctaid.x",
                    "nctaid.y",
                    "nctaid.z",
                    "laneid",
                    "lanemask_eq",
                    "lanemask_le",
                    "lanemask_lt",
                    "lanemask_ge",
                    "lanemask_gt",
                    "dynamic_smem_size",
                    "clusterid.x",
                    "clusterid.y",
                    "nclusterid.x",
                    "nclusterid.y",
                    "cluster_ctaid.x",
                    "cluster_ctaid.y",
                    "cluster_nctaid.x",
                    "cluster_nctaid.y",
                    "cluster_ctarank",
                    "cluster_nctarank"};
  for (const bool clustered : {false, true}) {
    Raw raw;
    raw.grid = {4, 2, 2};
    raw.block = {4, 4, 2};
    if (clustered) raw.cluster = {2, 2, 1};
    raw.dynamic_shared = 272;
    raw.body =
        "mov.u32 %r2, %ctaid.z; mov.u32 %r5, %ctaid.y; mov.u32 %r6, %ctaid.x; mad.lo.u32 %r2, %r2, "
        "2, %r5; mad.lo.u32 %r2, %r2, 4, %r6; mov.u32 %r3, %tid.z; mov.u32 %r5, %tid.y; mov.u32 "
        "%r6, %tid.x; mad.lo.u32 %r3, %r3, 4, %r5; mad.lo.u32 %r3, %r3, 4, %r6; mad.lo.u32 %r2, "
        "%r2, 32, %r3; mad.wide.u32 %rd1, %r2, 4, %out;\n";
    for (std::size_t k = 0; k < names.size(); ++k)
      raw.body += "mov.u32 %r4, %" + names[k] + "; st.global.u32 [%rd1+" +
                  std::to_string(k * 2048) + "], %r4;\n";
    b.raw("mov", clustered ? "special registers in clusters" : "special registers", raw,
          names.size() * 2048);
  }
}

}  // namespace

void add_move(Builder& b) {
  const auto copy = [&](const std::string& t, F f) {
    b.lanes("mov", "mov." + t + " %d, %a;", {f}, {f}, {128});
  };
  for (const std::string t : {"b16", "u16", "s16"}) copy(t, F::I16);
  for (const std::string t : {"b32", "u32", "s32"}) copy(t, F::I32);
  for (const std::string t : {"b64", "u64", "s64"}) copy(t, F::I64);
  copy("f32", F::F32), copy("f64", F::F64), copy("pred", F::Pred), copy("b128", F::I128);
  b.lanes("mov", "mov.b32 %d, {%a, %b};", {F::I32}, {F::I16, F::I16}, {128});
  b.lanes("mov", "mov.b64 %d, {%a, %b};", {F::I64}, {F::I32, F::I32}, {128});
  b.lanes("mov", "mov.b128 %d, {%a, %b};", {F::I128}, {F::I64, F::I64}, {128});
  b.lanes("mov", "mov.b32 {%d, %q}, %a;", {F::I16, F::I16}, {F::I32}, {128});
  b.lanes("mov", "mov.b64 {%d, %q}, %a;", {F::I32, F::I32}, {F::I64}, {128});
  b.lanes("mov", "mov.b128 {%d, %q}, %a;", {F::I64, F::I64}, {F::I128}, {128});
  b.lanes("mov",
          ".reg .b16 %h<4>; mov.b64 {%h0, %h1, %h2, %h3}, %a; mov.b64 %d, {%h3, %h2, %h1, %h0};",
          {F::I64}, {F::I64}, {128});
  b.lanes("mov",
          ".reg .b8 %y<4>; mov.b32 {%y0, %y1, %y2, %y3}, %a; mov.b32 %d, {%y3, %y2, %y1, %y0};",
          {F::I32}, {F::I32}, {128});
  b.lanes("prmt", "prmt.b32 %d, %a, %b, %c;", {F::I32}, {F::I32, F::I32, F::Selector}, {512});
  for (const std::string mode : {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"})
    b.lanes("prmt", "prmt.b32." + mode + " %d, %a, %b, %c;", {F::I32}, {F::I32, F::I32, F::Shift},
            {128});
  add_specials(b);
}

void add_memory(Builder& b) {
  add_spaces(b);
  add_widths(b);
  add_addresses(b);
}

}  // namespace emu::vectors
