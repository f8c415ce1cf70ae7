// SPDX-License-Identifier: MIT
// What the lanes of a warp do together (PTX 9.7.13), with full and odd member masks. Lanes outside
// the mask do not take part and keep zeros.
#include "vectors/catalogue.hpp"

namespace emu::vectors {
namespace {

using F = Family;

// Runs the text in the lanes of the mask in register `mask`.
std::string members(const std::string& mask, const std::string& text) {
  return ".reg .b32 %m; .reg .pred %off; shr.u32 %m, " + mask +
         ", %lane; and.b32 %m, %m, 1; setp.eq.u32 %off, %m, 0; @%off bra SKIP;\n" + text +
         "\nSKIP:";
}

// The manual's pseudo-code: whether the lane that shfl reads is a member. What it reads from another
// is undefined, so it is dropped.
std::string source_of(const std::string& mode) {
  std::string s =
      ".reg .b32 %v, %w5, %seg, %max, %j; .reg .pred %in_range, %ok;\nand.b32 %v, %b, 31; shr.u32 "
      "%seg, %c, 8; and.b32 %seg, %seg, 31; not.b32 %w5, %seg; and.b32 %max, %c, 31; and.b32 %max, "
      "%max, %w5; and.b32 %j, %lane, %seg; or.b32 %max, %max, %j;\n";
  if (mode == "up") s += "sub.s32 %j, %lane, %v; setp.ge.s32 %in_range, %j, %max;\n";
  if (mode == "down") s += "add.s32 %j, %lane, %v; setp.le.s32 %in_range, %j, %max;\n";
  if (mode == "bfly") s += "xor.b32 %j, %lane, %v; setp.le.s32 %in_range, %j, %max;\n";
  if (mode == "idx")
    s += "and.b32 %v, %v, %w5; or.b32 %j, %j, %v; setp.le.s32 %in_range, %j, %max;\n";
  return s +
         "selp.b32 %j, %j, %lane, %in_range; shr.u32 %j, %e, %j; and.b32 %j, %j, 1; setp.ne.u32 "
         "%ok, %j, 0;\n";
}

constexpr Lanes kWarps{1024};

void add_shuffles(Builder& b) {
  for (const std::string mode : {"up", "down", "bfly", "idx"}) {
    const std::string op = "shfl.sync." + mode + ".b32 ";
    // Every lane with its own b; all lanes take part.
    b.lanes("shfl", op + "%d|%q, %a, %b, %c, -1;", {F::I32, F::Pred}, {F::I32, F::Lane, F::Clamp},
            kWarps);
    b.lanes("shfl", op + "%d|%q, %a, %b, %c, -1; // one b for the warp", {F::I32, F::Pred},
            {F::I32, F::Lane1, F::Clamp}, kWarps);
    b.lanes("shfl",
            source_of(mode) + members("%e", op + "%d|%q, %a, %b, %c, %e;\nselp.b32 %d, %d, 0, %ok; "
                                                 "and.pred %q, %q, %ok;"),
            {F::I32, F::Pred}, {F::I32, F::Lane1, F::Clamp, F::Mask}, kWarps);
    for (const std::string width : {"0x1f", "0x101f", "0x181f", "0x1c1f", "0x1e1f", "0x1f1f"})
      for (const std::string by : {"1", "2", "5", "16", "31"})
        b.lanes("shfl",
                op + "%d|%q, %a, " + by + ", " +
                    (mode == "up" ? width.substr(0, width.size() - 2) + "00" : width) + ", -1;",
                {F::I32, F::Pred}, {F::I32}, {128});
  }
}

}  // namespace

void add_warp(Builder& b) {
  add_shuffles(b);
  for (const std::string op : {"all", "any", "uni"}) {
    b.lanes("vote", members("%b", "vote.sync." + op + ".pred %d, %a, %b;"), {F::Pred},
            {F::Pred, F::Mask}, kWarps);
    b.lanes("vote",
            ".reg .pred %p; setp.ne.u32 %p, %a, 0; " +
                members("%b", "vote.sync." + op + ".pred %d, !%p, %b;"),
            {F::Pred}, {F::Lane1, F::Mask}, kWarps);
  }
  b.lanes("vote", members("%b", "vote.sync.ballot.b32 %d, %a, %b;"), {F::I32}, {F::Pred, F::Mask},
          kWarps);
  for (const std::string t : {"b32", "b64"}) {
    const std::string value = t == "b32" ? "%a" : "%wide",
                      make = t == "b32" ? "" : ".reg .b64 %wide; mov.b64 %wide, {%b, %a};\n";
    for (const F f : {F::WarpWord, F::Lane1}) {
      const std::string note = f == F::Lane1 ? " // all equal" : "";
      b.lanes("match",
              make + members("%c", "match.any.sync." + t + " %d, " + value + ", %c;" + note),
              {F::I32}, {f, F::Lane1, F::Mask}, {512});
      b.lanes("match",
              make + members("%c", "match.all.sync." + t + " %d|%q, " + value + ", %c;" + note),
              {F::I32, F::Pred}, {f, F::Lane1, F::Mask}, {512});
    }
  }
  for (const std::string op : {"add.u32", "add.s32", "min.u32", "min.s32", "max.u32", "max.s32",
                               "and.b32", "or.b32", "xor.b32"})
    b.lanes("redux", members("%b", "redux.sync." + op + " %d, %a, %b;"), {F::I32},
            {F::I32, F::Mask}, {512});
  // Which lane is chosen is up to the machine; that it is one, and that all agree, is not.
  b.lanes("elect",
          members("%a",
                  "elect.sync %d|%q, %a; .reg .b32 %bits; .reg .pred %mine; vote.sync.ballot.b32 "
                  "%bits, %q, %a; popc.b32 %d, %bits; setp.eq.u32 %mine, %bits, 0; or.pred "
                  "%q, %mine, %mine;"),
          {F::I32, F::Pred}, {F::Mask}, {512});
  b.lanes("elect", members("%a", "elect.sync %d|%q, %a;"), {F::I32, F::Pred}, {F::Mask}, {512});
  Raw raw;
  raw.module = ".shared .align 4 .b32 tile[32];";
  raw.body =
      "mov.u32 %r14, tile; mad.lo.u32 %r15, %t, 4, %r14; ld.global.u32 %r10, [%in4]; "
      "st.shared.u32 [%r15], %r10; bar.warp.sync -1; xor.b32 %r15, %t, 1; mad.lo.u32 %r15, "
      "%r15, 4, %r14; ld.shared.u32 %r11, [%r15]; st.global.u32 [%out4], %r11;";
  b.raw("bar_warp", "an exchange over bar.warp.sync", raw, 128);
}

}  // namespace emu::vectors
