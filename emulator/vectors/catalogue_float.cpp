// SPDX-License-Identifier: MIT
// Floating point (PTX 9.7.3) and half precision (9.7.4).
#include "vectors/catalogue.hpp"

namespace emu::vectors {
namespace {

using F = Family;
constexpr Lanes kApproximate{2048, Rule::Approximate};

const std::vector<std::string> kRoundings{".rn", ".rz", ".rm", ".rp"};

void arithmetic(Builder& b, const std::string& row, const std::string& op, std::size_t operands) {
  const std::string tail = operands == 2 ? " %d, %a, %b;" : " %d, %a, %b, %c;";
  std::vector<std::string> roundings = kRoundings;
  if (operands == 2) roundings.push_back("");
  for (const auto& r : roundings) {
    for (const std::string ftz : {"", ".ftz"})
      for (const std::string sat : {"", ".sat"})
        b.lanes(row, op + r + ftz + sat + ".f32" + tail, {F::F32},
                std::vector<F>(operands, F::F32));
    b.lanes(row, op + r + ".f64" + tail, {F::F64}, std::vector<F>(operands, F::F64));
  }
}

void halves(Builder& b, const std::string& row, const std::string& op, std::size_t operands,
            const std::vector<std::string>& mods, const std::vector<std::string>& brain_mods,
            const Lanes& how = {}) {
  static const char* const kTails[] = {"", " %d, %a;", " %d, %a, %b;", " %d, %a, %b, %c;"};
  for (const bool brain : {false, true})
    for (const auto& m : brain ? brain_mods : mods)
      for (const bool pair : {false, true}) {
        const F f = brain ? (pair ? F::BF16x2 : F::BF16) : (pair ? F::F16x2 : F::F16);
        b.lanes(row, op + m + (brain ? ".bf16" : ".f16") + (pair ? "x2" : "") + kTails[operands],
                {f}, std::vector<F>(operands, f), how);
      }
}

void add_min_max(Builder& b) {
  for (const std::string op : {"min", "max"}) {
    for (const std::string ftz : {"", ".ftz"})
      for (const std::string nan : {"", ".NaN"})
        for (const std::string sign : {"", ".xorsign.abs"})
          b.lanes(op + "_float", op + ftz + nan + sign + ".f32 %d, %a, %b;", {F::F32},
                  {F::F32, F::F32});
    b.lanes(op + "_float", op + ".f64 %d, %a, %b;", {F::F64}, {F::F64, F::F64});
    halves(b, op + "_half", op, 2,
           {"", ".NaN", ".ftz", ".ftz.NaN", ".xorsign.abs", ".NaN.xorsign.abs",
            ".ftz.NaN.xorsign.abs"},
           {"", ".NaN", ".xorsign.abs", ".NaN.xorsign.abs"});
  }
}

}  // namespace

void add_float(Builder& b) {
  for (const std::string t : {"f32", "f64"}) {
    const F f = t == "f32" ? F::F32 : F::F64;
    for (const std::string c :
         {"finite", "infinite", "number", "notanumber", "normal", "subnormal"})
      b.lanes("testp", "testp." + c + "." + t + " %d, %a;", {F::Pred}, {f});
    b.lanes("copysign", "copysign." + t + " %d, %a, %b;", {f}, {f, f});
    for (const std::string op : {"abs", "neg"})
      b.lanes(op + "_float", op + "." + t + " %d, %a;", {f}, {f});
  }
  for (const std::string op : {"abs", "neg"})
    b.lanes(op + "_float", op + ".ftz.f32 %d, %a;", {F::F32}, {F::F32});
  for (const std::string op : {"add", "sub", "mul"}) arithmetic(b, op + "_float", op, 2);
  arithmetic(b, "fma_float", "fma", 3);
  arithmetic(b, "mad_float", "mad", 3);
  add_min_max(b);
  for (const auto& r : kRoundings) {
    for (const std::string ftz : {"", ".ftz"}) {
      b.lanes("div_float", "div" + r + ftz + ".f32 %d, %a, %b;", {F::F32}, {F::F32, F::F32});
      b.lanes("rcp", "rcp" + r + ftz + ".f32 %d, %a;", {F::F32}, {F::F32});
      b.lanes("sqrt", "sqrt" + r + ftz + ".f32 %d, %a;", {F::F32}, {F::F32});
    }
    b.lanes("div_float", "div" + r + ".f64 %d, %a, %b;", {F::F64}, {F::F64, F::F64});
    b.lanes("rcp", "rcp" + r + ".f64 %d, %a;", {F::F64}, {F::F64});
    b.lanes("sqrt", "sqrt" + r + ".f64 %d, %a;", {F::F64}, {F::F64});
  }
}

void add_approximate(Builder& b) {
  for (const std::string ftz : {"", ".ftz"}) {
    const auto one = [&](const std::string& op, F f) {
      b.lanes(op, op + ".approx" + ftz + ".f32 %d, %a;", {F::F32}, {f}, kApproximate);
    };
    one("ex2", F::Exponent);
    one("sin", F::Angle);
    one("cos", F::Angle);
    for (const std::string op : {"lg2", "rcp", "rsqrt", "sqrt"}) one(op, F::Positive);
    for (const std::string how : {".approx", ".full"})
      b.lanes("div_float", "div" + how + ftz + ".f32 %d, %a, %b;", {F::F32}, {F::F32, F::F32},
              kApproximate);
  }
  b.lanes("tanh", "tanh.approx.f32 %d, %a;", {F::F32}, {F::Exponent}, kApproximate);
  for (const std::string text : {"rsqrt.approx.f64", "rsqrt.approx.ftz.f64", "rcp.approx.ftz.f64"})
    b.lanes(text.substr(0, text.find('.')), text + " %d, %a;", {F::F64}, {F::F64},
            {1024, Rule::Approximate});
}

void add_half(Builder& b) {
  for (const std::string op : {"add", "sub", "mul"})
    halves(b, op + "_half", op, 2, {"", ".rn", ".ftz", ".sat", ".rn.ftz.sat"}, {"", ".rn"});
  halves(b, "fma_half", "fma.rn", 3, {"", ".ftz", ".sat", ".ftz.sat", ".relu", ".ftz.relu"},
         {"", ".relu"});
  halves(b, "neg_half", "neg", 1, {"", ".ftz"}, {""});
  halves(b, "abs_half", "abs", 1, {"", ".ftz"}, {""});
  halves(b, "tanh_half", "tanh.approx", 1, {""}, {""}, {1024, Rule::Approximate});
  halves(b, "ex2_half", "ex2.approx", 1, {""}, {".ftz"}, {1024, Rule::Approximate});
}

}  // namespace emu::vectors
