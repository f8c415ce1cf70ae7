// SPDX-License-Identifier: MIT
// cvt with every pair of types, rounding and saturation (PTX 9.7.9), and cvt.pack.
#include "vectors/catalogue.hpp"

namespace emu::vectors {
namespace {

using F = Family;
using Words = std::vector<std::string>;

const Words kIntegers{"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"};
const Words kToNearest{".rn", ".rz", ".rm", ".rp"}, kToInteger{".rni", ".rzi", ".rmi", ".rpi"};

// Registers of 32 bits for 8-bit types: how they are extended shows.
F family(const std::string& t) {
  if (t == "f16") return F::F16;
  if (t == "bf16") return F::BF16;
  if (t == "f32") return F::F32;
  if (t == "f64") return F::F64;
  if (t.ends_with("64")) return F::I64;
  return t.ends_with("16") ? F::I16 : F::I32;
}
void one(Builder& b, const std::string& mods, const std::string& to, const std::string& from) {
  b.lanes("cvt", "cvt" + mods + "." + to + "." + from + " %d, %a;", {family(to)}, {family(from)});
}

int bits(const std::string& t) { return std::stoi(t.substr(1)); }
// Whether every number of `from` is one of `to`: ptxas then refuses .sat.
bool holds(const std::string& to, const std::string& from) {
  if (to[0] == from[0]) return bits(to) > bits(from);
  return to[0] == 's' && bits(to) > bits(from);
}

void add_integers(Builder& b) {
  for (const auto& to : kIntegers)
    for (const auto& from : kIntegers) {
      if (to == from) continue;
      one(b, "", to, from);
      if (!holds(to, from)) one(b, ".sat", to, from);
    }
  for (const auto& from : kIntegers)
    for (const auto& r : kToNearest) {
      for (const std::string to : {"f16", "f32", "f64"}) one(b, r, to, from);
      if (bits(from) > 8) one(b, r, "bf16", from);
      one(b, r + ".sat", "f32", from);
    }
  for (const auto& to : kIntegers)
    for (const auto& r : kToInteger) {
      for (const std::string from : {"f16", "f32", "f64"}) one(b, r, to, from);
      if (bits(to) > 8) one(b, r, to, "bf16");
      one(b, r + ".ftz", to, "f32");
      if (r == ".rni" || r == ".rzi")
        for (const std::string from : {"f16", "f32", "f64"}) one(b, r + ".sat", to, from);
    }
}

void add_floats(Builder& b) {
  for (const auto& r : kToNearest) {
    for (const std::string sat : {"", ".sat"}) {
      one(b, r + sat, "f32", "f64");
      one(b, r + ".ftz" + sat, "f32", "f64");
      one(b, r + sat, "f16", "f64");
      if (r == ".rn") one(b, r + ".ftz" + sat, "f16", "f32");
    }
    one(b, r, "f16", "f32");
    one(b, r, "bf16", "f64");
  }
  for (const std::string sat : {"", ".sat"}) {
    one(b, sat, "f64", "f32");
    one(b, ".ftz" + sat, "f64", "f32");
    one(b, sat, "f32", "f16");
    one(b, ".ftz" + sat, "f32", "f16");
    one(b, sat, "f64", "f16");
    for (const auto& r : kToInteger) {
      one(b, r + sat, "f32", "f32");
      one(b, r + ".ftz" + sat, "f32", "f32");
      one(b, r + sat, "f64", "f64");
      one(b, r + sat, "f16", "f16");
    }
  }
  one(b, ".sat", "f32", "f32");
  one(b, ".ftz", "f32", "f32");
  one(b, ".ftz.sat", "f32", "f32");
  one(b, ".sat", "f64", "f64");
  one(b, "", "f32", "bf16");
  one(b, "", "f64", "bf16");
}

void add_narrow(Builder& b) {
  for (const std::string r : {".rn", ".rz"})
    for (const std::string relu : {"", ".relu"})
      for (const std::string to : {"f16", "bf16"})
        for (const std::string fin : {"", ".satfinite"}) {
          const std::string name = "cvt" + r + relu + fin + "." + to;
          if (relu + fin != "" || to == "bf16")
            b.lanes("cvt", name + ".f32 %d, %a;", {family(to)}, {F::F32});
          b.lanes("cvt", name + "x2.f32 %d, %a, %b;", {F::I32}, {F::F32, F::F32});
        }
  for (const std::string m : {".rna", ".rn", ".rz", ".rn.relu", ".rz.relu"})
    b.lanes("cvt", "cvt" + m + ".tf32.f32 %d, %a;", {F::I32}, {F::F32});
  // NaNs apart: what becomes of them is a difference between manual and machine.
  const std::string fin = "cvt.rna.satfinite.tf32.f32 %d, %a;";
  b.lanes("cvt", ".reg .pred %p; testp.notanumber.f32 %p, %a; selp.b32 %a, 0, %a, %p; " + fin,
          {F::I32}, {F::F32});
  b.lanes("cvt", "or.b32 %a, %a, 0x7f800001; " + fin, {F::I32}, {F::F32}, {128});
  for (const std::string t : {"e4m3x2", "e5m2x2"})
    for (const std::string relu : {"", ".relu"}) {
      b.lanes("cvt", "cvt.rn.satfinite" + relu + "." + t + ".f32 %d, %a, %b;", {F::I16},
              {F::F32, F::F32}, {512});
      b.lanes("cvt", "cvt.rn.satfinite" + relu + "." + t + ".f16x2 %d, %a;", {F::I16}, {F::F16x2},
              {512});
      b.lanes("cvt", "cvt.rn" + relu + ".f16x2." + t + " %d, %a;", {F::I32}, {F::I16}, {512});
    }
  for (const std::string t : {"u16", "s16"})
    b.lanes("cvt_pack", "cvt.pack.sat." + t + ".s32 %d, %a, %b;", {F::I32}, {F::I32, F::I32});
  for (const std::string t : {"u8", "s8"})
    b.lanes("cvt_pack", "cvt.pack.sat." + t + ".s32.b32 %d, %a, %b, %c;", {F::I32},
            {F::I32, F::I32, F::I32});
}

}  // namespace

void add_convert(Builder& b) {
  add_integers(b);
  add_floats(b);
  add_narrow(b);
}

}  // namespace emu::vectors
