// SPDX-License-Identifier: MIT
// atom and red (PTX 9.7.13): the value returned and the value left behind, each lane on its own place
// in global, shared and generic memory; then one thread alone, many times on one place.
#include "vectors/catalogue.hpp"

namespace emu::vectors {
namespace {

using F = Family;

F family(const std::string& t) {
  if (t == "f16") return F::F16;
  if (t == "bf16") return F::BF16;
  if (t == "f16x2") return F::F16x2;
  if (t == "bf16x2") return F::BF16x2;
  if (t == "f32") return F::F32;
  if (t == "f64") return F::F64;
  return t.ends_with("128")  ? F::I128
         : t.ends_with("64") ? F::I64
         : t.ends_with("32") ? F::I32
                             : F::I16;
}

struct Place {
  std::string space, at, setup;
};
const Place kGlobal{".global", "[%cell]", ""}, kGeneric{"", "[%cell]", ""},
    kShared{".shared", "[%s]",
            ".shared .align 16 .b8 tile[2048]; .reg .b32 %s; mov.u32 %s, tile; mad.lo.u32 %s, %x, "
            "16, %s; "};

std::string access(const Place& p, F f) {  // the space and width of the plain accesses around it
  return p.space + "." + std::string(register_of(f));
}

void one(Builder& b, const Place& p, const std::string& op, const std::string& type, bool returns) {
  const F f = family(type);
  const bool cas = op == "cas";
  std::vector<F> operands{f, f};
  if (cas) operands.push_back(f);
  const std::string before = p.setup + "st" + access(p, f) + " " + p.at + ", %a; ",
                    after = " ld" + access(p, f) + " %q, " + p.at + ";",
                    name = p.space + "." + op + "." + type;
  if (returns)
    b.lanes("atom",
            before + "atom" + name + " %d, " + p.at + ", %b" + (cas ? ", %c;" : ";") + after,
            {f, f}, operands, {256});
  else
    b.lanes("red",
            before + "red" + name + " " + p.at + ", %b; ld" + access(p, f) + " %d, " + p.at + ";",
            {f}, operands, {256});
}

void everywhere(Builder& b, const std::string& op, const std::string& type) {
  const bool only_atom = op == "cas" || op == "exch";
  one(b, kGlobal, op, type, true);
  one(b, kShared, op, type, true);
  if (only_atom) return;
  one(b, kGlobal, op, type, false);
  one(b, kShared, op, type, false);
}

// Each element of the vector is changed alone.
void vectors(Builder& b, const std::string& op, const std::string& type, int n) {
  const std::string reg = type == "f32" || type.ends_with("x2") ? "%r" : "%rs";
  const int bytes = reg == "%r" ? 4 : 2;
  std::string d = "{", s = "{";
  for (int i = 0; i < n; ++i) {
    d += (i ? ", " : "") + reg + std::to_string(reg == "%r" ? 2 + i : i);
    s += (i ? ", " : "") + reg + std::to_string(reg == "%r" ? 12 + i : 8 + i);
  }
  d += "}", s += "}";
  const std::string v = ".v" + std::to_string(n), t = bytes == 4 ? ".b32" : ".b16",
                    size = std::to_string(n * bytes);
  // Plain accesses have at most four elements.
  const auto halves = [&](const std::string& list, const std::string& at, bool load) {
    const std::string op = load ? "ld.global" : "st.global";
    const auto access = [&](const std::string& vector, const std::string& regs,
                            const std::string& place) {
      return op + vector + t + " " + (load ? regs + ", " + place : place + ", " + regs) + "; ";
    };
    if (n < 8) return access(v, list, "[" + at + "]");
    const std::size_t middle = list.find(", " + reg + (list == d ? "4" : "12"));
    return access(".v4", list.substr(0, middle) + "}", "[" + at + "]") +
           access(".v4", "{" + list.substr(middle + 2), "[" + at + "+8]");
  };
  for (const bool returns : {true, false}) {
    Raw raw;
    raw.body = "mad.wide.u32 %rd1, %i, " + size + ", %in; mad.wide.u32 %rd2, %i, 2 * " + size +
               ", %out; add.u64 %rd3, %rd1, 512; add.u64 %rd4, %rd2, " + size + ";\n" +
               halves(d, "%rd1", true) + halves(d, "%rd2", false) + halves(s, "%rd3", true) + "\n";
    const std::string name =
        std::string(returns ? "atom" : "red") + ".global." + op + v + "." + type;
    raw.body += name + (returns ? " " + d + ", [%rd2], " + s : " [%rd2], " + s) + "; " +
                halves(d, "%rd4", false);
    b.raw(returns ? "atom" : "red", name, raw, 32 * 2 * static_cast<std::size_t>(n * bytes), 1024);
  }
}

// The order is defined: one thread. 64 operands from the input, each returned value is written.
void sequence(Builder& b, const std::string& op, const std::string& type) {
  const F f = family(type);
  const std::string reg = bytes_of(f) == 8 ? "%rd" : "%r", w = "." + std::string(register_of(f)),
                    size = std::to_string(bytes_of(f));
  for (const std::string space : {".global", ".shared"}) {
    Raw raw;
    raw.block = {1, 1, 1};
    const std::string at = space == ".global" ? "[%out]" : "[word]";
    raw.body =
        ".shared .align 8 .b64 word; add.u64 %rd2, %out, 16; add.u64 %rd3, %in, 0; ld.global" + w +
        " " + reg + "10, [%in+512]; st" + space + w + " " + at + ", " + reg +
        "10; mov.u32 %r2, 0;\nLOOP: ld.global" + w + " " + reg + "11, [%rd3]; atom" + space + "." +
        op + "." + type + " " + reg + "12, " + at + ", " + reg + "11" +
        (op == "cas" ? ", " + reg + "10" : "") + "; st.global" + w + " [%rd2], " + reg + "12; mov" +
        w + " " + reg + "10, " + reg + "12;\nadd.u64 %rd2, %rd2, " + size +
        "; add.u64 %rd3, %rd3, " + size +
        "; add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 64; @%p1 bra LOOP; ld" + space + w + " " +
        reg + "12, " + at + "; st.global" + w + " [%rd2], " + reg + "12;";
    b.raw("atom", "64 times atom" + space + "." + op + "." + type + " by one thread", raw,
          16 + 65 * bytes_of(f), 1024);
  }
}

}  // namespace

void add_atomic(Builder& b) {
  for (const std::string t : {"b32", "b64"}) {
    for (const std::string op : {"and", "or", "xor", "exch", "cas"}) everywhere(b, op, t);
    for (const std::string op : {"and", "exch", "cas"}) one(b, kGeneric, op, t, true);
  }
  everywhere(b, "cas", "b16");
  everywhere(b, "exch", "b128");
  everywhere(b, "cas", "b128");
  for (const std::string t : {"u32", "s32", "u64", "s64"}) {
    for (const std::string op : {"min", "max"}) everywhere(b, op, t);
    if (t != "s64") everywhere(b, "add", t), one(b, kGeneric, "add", t, true);
  }
  for (const std::string op : {"inc", "dec"}) everywhere(b, op, "u32");
  for (const std::string t : {"f32", "f64"}) everywhere(b, "add", t);
  for (const std::string t : {"f16", "f16x2", "bf16", "bf16x2"}) everywhere(b, "add.noftz", t);
  for (const int n : {2, 4}) {
    vectors(b, "add", "f32", n);
    for (const std::string op : {"add", "min", "max"})
      for (const std::string t : {"f16", "bf16", "f16x2", "bf16x2"})
        vectors(b, op + ".noftz", t, n);
  }
  for (const std::string t : {"f16", "bf16"}) vectors(b, "add.noftz", t, 8);
  for (const std::string op : {"add", "min", "inc", "dec"}) sequence(b, op, "u32");
  for (const std::string op : {"exch", "cas", "xor"})
    sequence(b, op, "b32"), sequence(b, op, "b64");
  sequence(b, "max", "s64");
  sequence(b, "add", "f32");
  sequence(b, "add", "f64");
}

}  // namespace emu::vectors
