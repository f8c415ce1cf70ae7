// SPDX-License-Identifier: MIT
// Integer arithmetic (PTX 9.7.1) and extended precision (9.7.2).
#include "vectors/catalogue.hpp"

namespace emu::vectors {
namespace {

using F = Family;

F family(const std::string& type) {
  if (type.ends_with("x2")) return F::I32;
  return type.ends_with("16") ? F::I16 : type.ends_with("32") ? F::I32 : F::I64;
}
F wide(F f) { return f == F::I16 ? F::I32 : F::I64; }
const std::vector<std::string> kTypes{"u16", "s16", "u32", "s32", "u64", "s64"};

void binary(Builder& b, const std::string& row, const std::string& op,
            const std::vector<std::string>& types) {
  for (const auto& t : types)
    b.lanes(row, op + "." + t + " %d, %a, %b;", {family(t)}, {family(t), family(t)});
}
void unary(Builder& b, const std::string& row, const std::string& op,
           const std::vector<std::string>& types) {
  for (const auto& t : types) b.lanes(row, op + "." + t + " %d, %a;", {family(t)}, {family(t)});
}

void add_products(Builder& b) {
  for (const std::string half : {"lo", "hi", "wide"})
    for (const auto& t : kTypes) {
      const F f = family(t), d = half == "wide" ? wide(f) : f;
      if (half == "wide" && f == F::I64) continue;
      b.lanes("mul_int", "mul." + half + "." + t + " %d, %a, %b;", {d}, {f, f});
      b.lanes("mad_int", "mad." + half + "." + t + " %d, %a, %b, %c;", {d}, {f, f, d});
    }
  b.lanes("mad_int", "mad.hi.sat.s32 %d, %a, %b, %c;", {F::I32}, {F::I32, F::I32, F::I32});
  for (const std::string t : {"u32", "s32"})
    for (const std::string half : {"lo", "hi"}) {
      b.lanes("mul24", "mul24." + half + "." + t + " %d, %a, %b;", {F::I32}, {F::I32, F::I32});
      b.lanes("mad24", "mad24." + half + "." + t + " %d, %a, %b, %c;", {F::I32},
              {F::I32, F::I32, F::I32});
    }
  b.lanes("mad24", "mad24.hi.sat.s32 %d, %a, %b, %c;", {F::I32}, {F::I32, F::I32, F::I32});
  for (const std::string s : {"u32", "s32"})
    for (const std::string t : {"u32", "s32"}) {
      b.lanes("dp4a", "dp4a." + s + "." + t + " %d, %a, %b, %c;", {F::I32},
              {F::I32, F::I32, F::I32});
      for (const std::string half : {"lo", "hi"})
        b.lanes("dp2a", "dp2a." + half + "." + s + "." + t + " %d, %a, %b, %c;", {F::I32},
                {F::I32, F::I32, F::I32});
    }
}

// The carry is seen through a second instruction that takes it in, and a third that takes its own.
void add_extended(Builder& b) {
  for (const std::string t : {"u32", "s32", "u64", "s64"}) {
    const F f = family(t);
    for (const std::string op : {"add", "sub"}) {
      const std::string first = op + ".cc." + t + " %d, %a, %b; ";
      b.lanes(op + "_cc", first + op + "c." + t + " %q, %c, %e;", {f, f}, {f, f, f, f});
      b.lanes(op + "c", first + op + "c.cc." + t + " %d, %c, %e; " + op + "c." + t + " %q, %a, %c;",
              {f, f}, {f, f, f, f});
    }
    for (const std::string half : {"lo", "hi"}) {
      const std::string first = "mad." + half + ".cc." + t + " %d, %a, %b, %c; ";
      b.lanes("mad_cc", first + "addc." + t + " %q, %c, 0;", {f, f}, {f, f, f});
      b.lanes("madc", first + "madc." + half + "." + t + " %q, %b, %c, %a;", {f, f}, {f, f, f});
      b.lanes("madc",
              first + "madc." + half + ".cc." + t + " %d, %b, %c, %a; addc." + t + " %q, %a, 0;",
              {f, f}, {f, f, f});
    }
  }
}

}  // namespace

void add_integer(Builder& b) {
  binary(b, "add_int", "add", {"u16", "s16", "u32", "s32", "u64", "s64", "u16x2", "s16x2"});
  binary(b, "add_int", "add.sat", {"s32"});
  binary(b, "sub_int", "sub", kTypes);
  binary(b, "sub_int", "sub.sat", {"s32"});
  add_products(b);
  for (const auto& t : kTypes)
    b.lanes("sad", "sad." + t + " %d, %a, %b, %c;", {family(t)}, {family(t), family(t), family(t)});
  binary(b, "div_int", "div", kTypes);
  binary(b, "rem_int", "rem", kTypes);
  unary(b, "abs_int", "abs", {"s16", "s32", "s64"});
  unary(b, "neg_int", "neg", {"s16", "s32", "s64"});
  for (const std::string op : {"min", "max"}) {
    binary(b, op + "_int", op, {"u16", "s16", "u32", "s32", "u64", "s64", "u16x2", "s16x2"});
    binary(b, op + "_int", op + ".relu", {"s32", "s16x2"});
  }
  for (const std::string n : {"2", "4"})
    for (const std::string t : {".u32", ".s32"})
      for (const std::string u : {".u32", ".s32"})
        for (const std::string v : {".u32", ".s32"})
          for (const std::string mod : {"", ".sat", ".add"})
            b.lanes("vabsdiff" + n, "vabsdiff" + n + t + u + v + mod + " %d, %a, %b, %c;", {F::I32},
                    {F::I32, F::I32, F::I32}, {128});
  add_extended(b);
}

void add_bits(Builder& b) {
  for (const std::string op : {"popc", "clz"})
    for (const std::string t : {"b32", "b64"})
      b.lanes(op, op + "." + t + " %d, %a;", {F::I32}, {family(t)});
  unary(b, "brev", "brev", {"b32", "b64"});
  for (const std::string t : {"u32", "s32", "u64", "s64"}) {
    b.lanes("bfind", "bfind." + t + " %d, %a;", {F::I32}, {family(t)});
    b.lanes("bfind", "bfind.shiftamt." + t + " %d, %a;", {F::I32}, {family(t)});
    b.lanes("bfe", "bfe." + t + " %d, %a, %b, %c;", {family(t)}, {family(t), F::Shift, F::Shift},
            {512});
  }
  for (const std::string t : {"b32", "b64"})
    b.lanes("bfi", "bfi." + t + " %d, %a, %b, %c, %e;", {family(t)},
            {family(t), family(t), F::Shift, F::Shift}, {512});
  b.lanes("fns", "and.b32 %b, %b, 31; fns.b32 %d, %a, %b, %c;", {F::I32},
          {F::I32, F::Shift, F::Offset}, {512});
  b.lanes("fns", "and.b32 %b, %b, 31; fns.b32 %d, %a, %b, 0x80000000;", {F::I32},
          {F::I32, F::Shift}, {128});
  for (const std::string mode : {"clamp", "wrap"}) {
    for (const std::string t : {"u32", "s32"})
      b.lanes("szext", "szext." + mode + "." + t + " %d, %a, %b;", {F::I32}, {F::I32, F::Shift});
    b.lanes("bmsk", "bmsk." + mode + ".b32 %d, %a, %b;", {F::I32}, {F::Shift, F::Shift}, {512});
  }
}

}  // namespace emu::vectors
