// SPDX-License-Identifier: MIT
// Comparison and selection (PTX 9.7.6), logic and shifts (9.7.8).
#include "vectors/catalogue.hpp"

namespace emu::vectors {
namespace {

using F = Family;
using Words = std::vector<std::string>;

const Words kTypes{"b16", "b32", "b64", "u16", "s16", "u32", "s32", "u64", "s64", "f32", "f64"};
const Words kHalves{"f16", "f16x2", "bf16", "bf16x2"};
const Words kFloatCompares{"eq",  "ne",  "lt",  "le",  "gt",  "ge",  "equ",
                           "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
constexpr Lanes kFew{256};

F family(const std::string& t) {
  if (t == "pred") return F::Pred;
  if (t == "f32") return F::F32;
  if (t == "f64") return F::F64;
  if (t == "f16") return F::F16;
  if (t == "f16x2") return F::F16x2;
  if (t == "bf16") return F::BF16;
  if (t == "bf16x2") return F::BF16x2;
  return t.ends_with("16") ? F::I16 : t.ends_with("32") ? F::I32 : F::I64;
}
Words compares(const std::string& t) {
  if (t[0] == 'f') return kFloatCompares;
  if (t[0] == 'b') return {"eq", "ne"};
  Words w{"eq", "ne", "lt", "le", "gt", "ge"};
  if (t[0] == 'u') w.insert(w.end(), {"lo", "ls", "hi", "hs"});
  return w;
}

void add_setp(Builder& b) {
  for (const auto& t : kTypes) {
    const F f = family(t);
    for (const auto& c : compares(t))
      for (const std::string ftz : {"", ".ftz"}) {
        if (ftz != "" && t != "f32") continue;
        b.lanes("setp", "setp." + c + ftz + "." + t + " %d, %a, %b;", {F::Pred}, {f, f}, kFew);
      }
    for (const std::string op : {"and", "or", "xor"}) {
      const std::string c = t[0] == 'b' ? "ne" : "lt";
      b.lanes("setp", "setp." + c + "." + op + "." + t + " %d|%q, %a, %b, %c;", {F::Pred, F::Pred},
              {f, f, F::Pred}, kFew);
      b.lanes("setp", "setp." + c + "." + op + "." + t + " %d|%q, %a, %b, !%c;", {F::Pred, F::Pred},
              {f, f, F::Pred}, kFew);
    }
  }
  for (const auto& t : kHalves) {
    const F f = family(t);
    for (const auto& c : kFloatCompares)
      for (const std::string ftz : {"", ".ftz"}) {
        if (ftz != "" && t[0] == 'b') continue;
        const bool pair = t.ends_with("x2");
        b.lanes("setp", "setp." + c + ftz + "." + t + (pair ? " %d|%q, %a, %b;" : " %d, %a, %b;"),
                pair ? std::vector<F>{F::Pred, F::Pred} : std::vector<F>{F::Pred}, {f, f}, kFew);
      }
    const bool pair = t.ends_with("x2");  // one half has no second result
    for (const std::string op : {"and", "or", "xor"})
      b.lanes("setp", "setp.lt." + op + "." + t + (pair ? " %d|%q" : " %d") + ", %a, %b, %c;",
              pair ? std::vector<F>{F::Pred, F::Pred} : std::vector<F>{F::Pred}, {f, f, F::Pred},
              kFew);
  }
}

void add_set(Builder& b) {
  for (const auto& t : kTypes) {
    const F f = family(t);
    for (const auto& c : compares(t))
      for (const std::string ftz : {"", ".ftz"}) {
        if (ftz != "" && t != "f32") continue;
        b.lanes("set", "set." + c + ftz + ".u32." + t + " %d, %a, %b;", {F::I32}, {f, f}, kFew);
      }
    const std::string c = t[0] == 'b' ? "ne" : "lt";
    for (const std::string d : {"s32", "f32"}) {
      b.lanes("set", "set." + c + "." + d + "." + t + " %d, %a, %b;", {F::I32}, {f, f}, kFew);
      for (const std::string op : {"and", "or", "xor"})
        b.lanes("set", "set." + c + "." + op + "." + d + "." + t + " %d, %a, %b, %c;", {F::I32},
                {f, f, F::Pred}, kFew);
    }
    for (const std::string d : {"f16", "bf16"})
      b.lanes("set", "set." + c + "." + d + "." + t + " %d, %a, %b;", {family(d)}, {f, f}, kFew);
  }
  for (const auto& t : kHalves) {
    const F f = family(t);
    const bool pair = t.ends_with("x2");
    for (const std::string& d : pair ? Words{t} : Words{t, "u16", "s16", "u32", "s32"})
      for (const auto& c : d == t ? kFloatCompares : Words{"lt", "neu"})
        for (const std::string ftz : {"", ".ftz"}) {
          if (ftz != "" && t[0] == 'b') continue;
          b.lanes("set", "set." + c + ftz + "." + d + "." + t + " %d, %a, %b;", {family(d)}, {f, f},
                  kFew);
        }
    b.lanes("set", "set.lt.and." + t + "." + t + " %d, %a, %b, %c;", {f}, {f, f, F::Pred}, kFew);
  }
}

}  // namespace

void add_compare(Builder& b) {
  add_setp(b);
  add_set(b);
  for (const auto& t : kTypes) {
    const F f = family(t);
    b.lanes("selp", "selp." + t + " %d, %a, %b, %c;", {f}, {f, f, F::Pred}, {128});
    b.lanes("slct", "slct." + t + ".s32 %d, %a, %b, %c;", {f}, {f, f, F::I32}, {128});
    b.lanes("slct", "slct." + t + ".f32 %d, %a, %b, %c;", {f}, {f, f, F::F32}, kFew);
    b.lanes("slct", "slct.ftz." + t + ".f32 %d, %a, %b, %c;", {f}, {f, f, F::F32}, kFew);
  }
}

void add_logic(Builder& b) {
  for (const std::string op : {"and", "or", "xor", "not"})
    for (const std::string t : {"pred", "b16", "b32", "b64"}) {
      const F f = family(t);
      if (op == "not")
        b.lanes("not_", "not." + t + " %d, %a;", {f}, {f}, {128});
      else
        b.lanes(op + "_", op + "." + t + " %d, %a, %b;", {f}, {f, f}, {128});
    }
  for (const std::string t : {"b16", "b32", "b64"}) {
    const F f = family(t);
    b.lanes("cnot", "cnot." + t + " %d, %a;", {f}, {f}, {128});
    b.lanes("shl", "shl." + t + " %d, %a, %b;", {f}, {f, F::Shift});
  }
  for (const std::string t : {"b16", "b32", "b64", "u16", "s16", "u32", "s32", "u64", "s64"})
    b.lanes("shr", "shr." + t + " %d, %a, %b;", {family(t)}, {family(t), F::Shift});
  for (const std::string side : {"l", "r"})
    for (const std::string mode : {"clamp", "wrap"})
      b.lanes("shf", "shf." + side + "." + mode + ".b32 %d, %a, %b, %c;", {F::I32},
              {F::I32, F::I32, F::Shift});
  for (const std::string table : {"0x80", "0xfe", "0x96", "0xe8", "0xca", "0x1b", "0x78", "0x01"})
    b.lanes("lop3", "lop3.b32 %d, %a, %b, %c, " + table + ";", {F::I32}, {F::I32, F::I32, F::I32},
            {128});
  for (const std::string op : {"and", "or"})
    b.lanes("lop3", "lop3." + op + ".b32 %d|%q, %a, %b, %c, 0xe8, %e;", {F::I32, F::Pred},
            {F::I32, F::I32, F::I32, F::Pred}, {128});
  Raw all;  // every table, on the three words that show it
  all.block = {1, 1, 1};
  all.body =
      "ld.global.u32 %r2, [%in]; and.b32 %r2, %r2, 0; xor.b32 %r3, %r2, 0xf0; xor.b32 %r4, "
      "%r2, 0xcc; xor.b32 %r5, %r2, 0xaa;\n";
  for (int i = 0; i < 256; ++i)
    all.body += "lop3.b32 %r6, %r3, %r4, %r5, " + std::to_string(i) + "; st.global.u32 [%out+" +
                std::to_string(4 * i) + "], %r6;\n";
  b.raw("lop3", "lop3.b32 with every table", all, 1024);
}

}  // namespace emu::vectors
