// SPDX-License-Identifier: MIT
// atom and red: every operation and type, in global and shared memory, alone and with all lanes on
// one address.
#include <algorithm>

#include "tests/numbers.hpp"
#include "tests/ptx_lanes.hpp"

namespace emu::tests {
namespace {

using U16 = std::uint16_t;
using U32 = std::uint32_t;
using U64 = std::uint64_t;

std::string reg_of(std::size_t bytes) {
  return bytes == 2 ? "%rs" : bytes == 4 ? "%r" : bytes == 8 ? "%rd" : "%x";
}
std::string bits_of_width(std::size_t bytes) { return "b" + std::to_string(8 * bytes); }

// One lane per element. The output holds the memory and then the results; red leaves the results as
// they were. want(old, b, c) is the new value.
template <class T, class F>
void each_own(const std::string& op, const std::string& type, F&& want, const std::vector<T>& old,
              const std::vector<T>& b, const std::vector<T>& c = {}) {
  const std::size_t n = old.size(), bytes = sizeof(T);
  const std::string reg = reg_of(bytes), width = bits_of_width(bytes), size = std::to_string(bytes);
  std::vector<T> in = b, memory = old, results = old, want_memory;
  in.insert(in.end(), c.begin(), c.end());
  in.resize(2 * n);
  for (std::size_t i = 0; i < n; ++i) want_memory.push_back(want(old[i], b[i], in[n + i]));
  const bool cas = op == "cas", has_red = !cas && op != "exch";
  for (const bool shared : {false, true})
    for (const bool returns : {true, false}) {
      if (!returns && !has_red) continue;
      Raw raw;
      raw.grid = {static_cast<U32>((n + 31) / 32), 1, 1};
      const std::string number = std::to_string(n * bytes), at = shared ? "[%r20]" : "[%rd20]",
                        space = shared ? ".shared" : ".global";
      const std::string r2 = reg + "2", r1 = reg + "1", r0 = reg + "3";
      raw.body = ".shared .align 16 .b8 tile[512];\nsetp.ge.u32 %p1, %i, " + std::to_string(n) +
                 "; @%p1 bra END;\n";
      raw.body +=
          "mul.lo.u32 %r21, %i, " + size +
          "; cvt.u64.u32 %rd21, %r21; add.u64 %rd22, %in, %rd21; add.u64 %rd20, %out, %rd21;\n";
      raw.body += "ld.global." + width + " " + r1 + ", [%rd22]; ld.global." + width + " " + r2 +
                  ", [%rd22+" + number + "];\n";
      if (shared)
        raw.body += "mov.u32 %r20, tile; mad.lo.u32 %r20, %t, " + size + ", %r20; ld.global." +
                    width + " " + r0 + ", [%rd20]; st.shared." + width + " [%r20], " + r0 + ";\n";
      if (returns) {
        raw.body += "atom" + space + "." + op + "." + type + " " + r0 + ", " + at + ", " + r1 +
                    (cas ? ", " + r2 : "") + ";\n";
        raw.body += "st.global." + width + " [%rd20+" + number + "], " + r0 + ";\n";
      } else {
        raw.body += "red" + space + "." + op + "." + type + " " + at + ", " + r1 + ";\n";
      }
      if (shared)
        raw.body += "ld.shared." + width + " " + r0 + ", [%r20]; st.global." + width +
                    " [%rd20], " + r0 + ";\n";
      raw.body += "END:";
      std::vector<T> out = memory;
      out.insert(out.end(), results.begin(), results.end());
      out = run<T>(raw, in, out);
      std::vector<T> now(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(n)),
          was(out.begin() + static_cast<std::ptrdiff_t>(n), out.end());
      const std::string text = (returns ? "atom" : "red") + space + "." + op + "." + type;
      same(text + " memory", now, want_memory, old, b);
      same(text + " result", was, old, old, b);
    }
}

template <class T, class S>
void integer_ops(const std::string& type, bool add_only = false) {
  const auto v = edges<T>(6);
  const auto [old, b] = cross(v, v);
  each_own<T>(
      "add", type, [](T a, T x, T) { return static_cast<T>(a + x); }, old, b);
  if (add_only) return;
  each_own<T>(
      "min", type,
      [](T a, T x, T) { return static_cast<T>(std::min<S>(static_cast<S>(a), static_cast<S>(x))); },
      old, b);
  each_own<T>(
      "max", type,
      [](T a, T x, T) { return static_cast<T>(std::max<S>(static_cast<S>(a), static_cast<S>(x))); },
      old, b);
}
template <class T>
void bit_ops(const std::string& type) {
  const auto v = edges<T>(6);
  const auto [old, b] = cross(v, v);
  each_own<T>(
      "and", type, [](T a, T x, T) { return static_cast<T>(a & x); }, old, b);
  each_own<T>(
      "or", type, [](T a, T x, T) { return static_cast<T>(a | x); }, old, b);
  each_own<T>(
      "xor", type, [](T a, T x, T) { return static_cast<T>(a ^ x); }, old, b);
}
template <class T>
void swaps(const std::string& type, const std::vector<T>& v, bool exchange = true) {
  std::vector<T> old, b, c;
  for (std::size_t i = 0; i < v.size(); ++i)
    for (std::size_t k = 0; k < v.size(); ++k)
      old.push_back(v[i]), b.push_back(v[k]), c.push_back(v[(i + k + 1) % v.size()]);
  if (exchange)
    each_own<T>(
        "exch", type, [](T, T x, T) { return x; }, old, b);
  each_own<T>(
      "cas", type, [](T a, T x, T y) { return a == x ? y : a; }, old, b, c);
}

// f32 adds in global memory flush subnormals and keep them in shared memory; ordinary numbers do
// here.
template <class T, class U, class F>
void float_add(const std::string& type, const std::vector<T>& v, F&& add) {
  std::vector<U> old, b;
  for (const T x : v)
    for (const T y : v) old.push_back(std::bit_cast<U>(x)), b.push_back(std::bit_cast<U>(y));
  each_own<U>("add", type, add, old, b);
}

double half_pick(double a, double b, bool max) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) ? b : a;
  const bool below = a < b || (a == b && std::signbit(a));
  return below == max ? b : a;
}
void halves(const HalfFormat& f) {
  const std::string type = f.brain ? "bf16" : "f16";
  std::vector<U16> v;
  for (const auto h : half_edges(f)) v.push_back(h);
  const auto one = [&](const std::string& op, U16 a, U16 b) {
    const double x = value_of(a, f), y = value_of(b, f);
    if (op == "add")
      return bits_of(std::isfinite(x) && std::isfinite(y) ? to_half(sum(x, y), f) : x + y, f);
    return bits_of(half_pick(x, y, op == "max"), f);
  };
  const auto [old, b] = cross(v, v);
  std::vector<U32> old2, b2;
  for (std::size_t i = 0; i < old.size(); i += 3) {
    old2.push_back(old[i] | static_cast<U32>(old[(i + 11) % old.size()]) << 16);
    b2.push_back(b[i] | static_cast<U32>(b[(i + 11) % old.size()]) << 16);
  }
  for (const std::string op : {"add", "min", "max"}) {
    const std::string text = op == "add" ? "add.noftz" : op;
    each_own<U16>(
        text, type, [&](U16 x, U16 y, U16) { return one(op, x, y); }, old, b);
    each_own<U32>(
        text, type + "x2",
        [&](U32 x, U32 y, U32) {
          return one(op, static_cast<U16>(x), static_cast<U16>(y)) |
                 static_cast<U32>(one(op, static_cast<U16>(x >> 16), static_cast<U16>(y >> 16)))
                     << 16;
        },
        old2, b2);
  }
}

void all_operations() {
  integer_ops<U32, U32>("u32");
  integer_ops<U32, std::int32_t>("s32");
  integer_ops<U64, U64>("u64");
  integer_ops<U64, std::int64_t>("s64");
  bit_ops<U32>("b32");
  bit_ops<U64>("b64");
  const auto v = edges<U32>(6);
  const auto [old, b] = cross(v, v);
  each_own<U32>(
      "inc", "u32", [](U32 a, U32 x, U32) { return a >= x ? 0 : a + 1; }, old, b);
  each_own<U32>(
      "dec", "u32", [](U32 a, U32 x, U32) { return a == 0 || a > x ? x : a - 1; }, old, b);
  swaps<U16>("b16", {0, 1, 0xffff, 0x8000}, false);
  swaps<U32>("b32", edges<U32>(2));
  swaps<U64>("b64", edges<U64>(2));
  swaps<Bits128>("b128", {{0, 0}, {1, 0}, {0, 1}, {~0ull, ~0ull}});
  float_add<float, U32>(
      "f32", {0.0f, -0.0f, 1.0f, -1.5f, 1e10f, 0x1p-24f, INFINITY, -INFINITY, 3e38f},
      [](U32 a, U32 x, U32) { return std::bit_cast<U32>(one_nan(f32(a) + f32(x))); });
  float_add<double, U64>("f64", {0.0, -0.0, 1.0, -1.5, 1e100, 0x1p-53, 1e308},
                         [](U64 a, U64 x, U64) { return std::bit_cast<U64>(f64(a) + f64(x)); });
  halves(kFp16);
  halves(kBf16);
}

}  // namespace

ROW_TEST(atom, "does every operation on every type and gives the old value") { all_operations(); }
ROW_TEST(red, "does every operation on every type") { all_operations(); }

ROW_TEST(atom, "lets each lane see another value where all add to one word") {
  for (const char* mods : {"global", "relaxed.gpu.global", "acquire.cta.global",
                           "release.sys.global", "acq_rel.gpu.global", "acq_rel.cluster.global"}) {
    Raw raw;
    raw.block = {96, 1, 1};
    raw.body =
        "atom." + std::string(mods) + ".add.u32 %r2, [%out], 1; st.global.u32 [%out4+4], %r2;";
    auto out = run<U32>(raw, 97);
    CHECK(out[0] == 96);
    std::sort(out.begin() + 1, out.end());
    for (U32 i = 0; i < 96; ++i) CHECK(out[i + 1] == i);
  }
}

ROW_TEST(red, "adds up what all lanes of all blocks bring") {
  for (const char* mods : {"global", "relaxed.gpu.global", "release.sys.global", "relaxed.cta"}) {
    Raw raw;
    raw.block = {64, 1, 1};
    raw.grid = {3, 1, 1};
    raw.body = "red." + std::string(mods) + ".add.u32 [%out], %i; red." + mods +
               ".max.s32 [%out+4], %i; red." + mods + ".inc.u32 [%out+8], 99;";
    CHECK(run<U32>(raw, 3) == std::vector<U32>{191 * 192 / 2, 191, 92});
  }
}

ROW_TEST(atom, "adds vectors of f32 and halves element by element") {
  Raw raw;
  raw.block = {1, 1, 1};
  raw.body =
      R"(mov.f32 %f1, 0f3F800000; mov.f32 %f2, 0f40000000; mov.f32 %f3, 0f40400000;
      mov.f32 %f4, 0f40800000;
    atom.global.v4.f32.add {%f5, %f6, %f7, %f8}, [%out], {%f1, %f2, %f3, %f4};
      atom.global.v2.f32.add {%f5, %f6}, [%out], {%f1, %f2};
    st.global.v2.f32 [%out+16], {%f5, %f6}; red.global.v4.f32.add [%out], {%f1, %f1, %f1, %f1};
      red.global.v2.f32.add [%out], {%f1, %f1};
    mov.b16 %rs1, 0x3c00; mov.b32 %r2, 0x3c003c00;
      red.global.add.noftz.v2.f16 [%out+24], {%rs1, %rs1};
      red.global.add.noftz.v2.f16x2 [%out+32], {%r2, %r2};)";
  const auto out =
      run<float>(raw, std::vector<U32>{0}, std::vector<float>{10, 20, 30, 40, 0, 0, 0, 0, 0, 0});
  CHECK(std::vector<float>(out.begin(), out.begin() + 6) ==
        std::vector<float>{14, 26, 34, 45, 11, 22});
  CHECK(bits32(out[6]) == 0x3c003c00);
  CHECK(bits32(out[8]) == 0x3c003c00);
  CHECK(bits32(out[9]) == 0x3c003c00);
}

ROW_TEST(red_async, "combines in another block's shared memory, counted by its mbarrier") {
  struct Case {
    const char *op, *type;
    U64 old, operand, want;
    int bytes;
  };
  for (const Case& c :
       {Case{"and", "b32", 0xff0f, 0xf0ff, 0xf00f, 4}, Case{"or", "b32", 1, 6, 7, 4},
        Case{"xor", "b32", 5, 1, 4, 4}, Case{"add", "u32", 5, 7, 12, 4},
        Case{"add", "s32", 5, 0xfffffffe, 3, 4}, Case{"min", "s32", 5, 0xfffffffe, 0xfffffffe, 4},
        Case{"max", "u32", 5, 0xfffffffe, 0xfffffffe, 4}, Case{"inc", "u32", 5, 5, 0, 4},
        Case{"dec", "u32", 0, 9, 9, 4}, Case{"add", "u64", 1, 0xffffffffff, 0x10000000000, 8},
        Case{"add", "s64", 3, ~0ull, 2, 8}}) {
    const std::string reg = c.bytes == 4 ? "%r20" : "%rd20", width = c.bytes == 4 ? "b32" : "b64";
    Raw raw;
    raw.grid = raw.cluster = {2, 1, 1};
    raw.block = {1, 1, 1};
    raw.body =
        ".shared .align 8 .b64 bar; .shared .align 8 .b64 word;\nmov.u32 %r2, %cluster_ctarank; "
        "mov." +
        width + " " + reg + ", " + std::to_string(c.old) + "; st.shared." + width + " [word], " +
        reg +
        "; mbarrier.init.shared.b64 [bar], 1; mbarrier.arrive.expect_tx.shared.b64 %rd1, [bar], " +
        std::to_string(c.bytes) +
        "; fence.mbarrier_init.release.cluster; barrier.cluster.arrive; "
        "barrier.cluster.wait;\nxor.b32 %r3, %r2, 1; mov.u32 %r4, word; mapa.shared::cluster.u32 "
        "%r5, %r4, %r3; mov.u32 %r6, bar; "
        "mapa.shared::cluster.u32 %r7, %r6, %r3; mov." +
        width + " " + reg + ", " + std::to_string(c.operand) +
        ";\nred.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes." + c.op + "." +
        c.type + " [%r5], " + reg +
        ", [%r7];\nWAIT: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0; @!%p1 bra WAIT; "
        "ld.shared.b64 %rd2, [word]; and.b64 %rd2, %rd2, " +
        (c.bytes == 4 ? "0xffffffff" : "-1") +
        "; st.global.u64 [%out8], %rd2; barrier.cluster.arrive; barrier.cluster.wait;";
    INFO(c.op << "." << c.type);
    CHECK(run<U64>(raw, 2) == std::vector<U64>{c.want, c.want});
  }
}

}  // namespace emu::tests
