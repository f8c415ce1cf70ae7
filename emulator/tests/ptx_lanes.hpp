// SPDX-License-Identifier: MIT
// Runs PTX text through the whole chain (reader, decoder, engine) in unit tests, and keeps count of
// which rows of the instruction table were executed with which types.
//
//   lanes<int>("add.sat.s32 %d, %a, %b;", a, b)   one result for each element; operands %a %b %c
//   %e, results %d and %q run(Raw{"ld.global.u32 ..."}, in, out)        a kernel body with an input
//   and an output buffer
//
// Everything is run without and with an observer, which take different ways through the engine, and
// lanes() also with some lanes switched off; all must agree.
//
// Long because what runs one instruction for many lanes is a template of its types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "machine/grid.hpp"
#include "ptx/table.hpp"
#include "ptx/type.hpp"
#include "support/catch.hpp"

namespace emu::tests {

// ---- the registry behind ROW_TEST

class RowTest {
 public:
  RowTest(ptx::Row row, void (*body)());
  void run() const;
  ptx::Row row() const { return row_; }
  bool ran() const { return ran_; }
  static const std::vector<const RowTest*>& all();

 private:
  ptx::Row row_;
  void (*body_)();
  mutable bool ran_ = false;
};

// What was executed by at least one lane, or refused with a message a test has read.
struct Seen {
  std::set<std::pair<ptx::Row, ptx::Type>> executed, refused;  // Type::None: the row at all
};
Seen& seen();

#define EMU_ROW_JOIN(a, b) a##b
#define EMU_ROW_TEST(id, behaviour, number)                                \
  static void EMU_ROW_JOIN(row_body_, number)();                           \
  static const ::emu::tests::RowTest EMU_ROW_JOIN(row_test_, number)(      \
      ::emu::ptx::Row::id, &EMU_ROW_JOIN(row_body_, number));              \
  TEST_CASE(#id ": " behaviour) { EMU_ROW_JOIN(row_test_, number).run(); } \
  static void EMU_ROW_JOIN(row_body_, number)()
#define EMU_ROW_TEST_AT(id, behaviour, number) EMU_ROW_TEST(id, behaviour, number)
// A test of one row. Its body may not use SECTION: the coverage test calls it as a plain function.
#define ROW_TEST(id, behaviour) EMU_ROW_TEST_AT(id, behaviour, __COUNTER__)

// ---- lane-wise runs

struct Bits128 {
  std::uint64_t lo = 0, hi = 0;
  bool operator==(const Bits128&) const = default;
};

// A register's values, one per lane. bool is a predicate, else the width decides.
struct Column {
  std::string_view type;  // of the register: "pred", "b16", "b32", "f32", "b64", "f64", "b128"
  std::size_t bytes = 0;  // of an element; 1 for a predicate
  std::vector<std::byte> data;
};

template <class T>
constexpr std::string_view register_type() {
  if constexpr (std::is_same_v<T, bool>) return "pred";
  if constexpr (std::is_same_v<T, float>) return "f32";
  if constexpr (std::is_same_v<T, double>) return "f64";
  return sizeof(T) == 2 ? "b16" : sizeof(T) == 4 ? "b32" : sizeof(T) == 8 ? "b64" : "b128";
}

template <class T>
Column column(const std::vector<T>& values) {
  Column c{register_type<T>(), sizeof(T), std::vector<std::byte>(values.size() * sizeof(T))};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const T value = values[i];
    std::memcpy(c.data.data() + i * sizeof(T), &value, sizeof(T));
  }
  return c;
}
template <class T>
std::vector<T> values(const Column& c) {
  std::vector<T> result(c.data.size() / sizeof(T));
  for (std::size_t i = 0; i < result.size(); ++i) {
    T value;
    std::memcpy(&value, c.data.data() + i * sizeof(T), sizeof(T));
    result[i] = value;
  }
  return result;
}

// Fills the results' data. All inputs have the same number of elements.
void run_columns(std::string_view text, std::vector<Column>& results,
                 const std::vector<Column>& inputs);

template <class D, class... S>
std::vector<D> lanes(std::string_view text, const std::vector<S>&... in) {
  std::vector<Column> results{column(std::vector<D>{})};
  run_columns(text, results, {column(in)...});
  return values<D>(results[0]);
}
template <class D, class Q, class... S>
std::pair<std::vector<D>, std::vector<Q>> lanes2(std::string_view text,
                                                 const std::vector<S>&... in) {
  std::vector<Column> results{column(std::vector<D>{}), column(std::vector<Q>{})};
  run_columns(text, results, {column(in)...});
  return {values<D>(results[0]), values<Q>(results[1])};
}

// ---- whole kernels

// The body may use %r0-%r31 (b32), %rd0-%rd31 (b64), %rs0-%rs15 (b16), %f0-%f15, %fd0-%fd15,
// %p0-%p15, %x0-%x3 (b128) and: %in, %out (addresses of the buffers), %t (%tid.x), %i (number of
// the thread in the grid), %in4, %in8, %out4, %out8 (the i-th 4- or 8-byte element of a buffer). A
// return is appended.
struct Raw {
  std::string body;
  std::string module = {};  // declarations before the kernel
  exec::Dim3 grid{1, 1, 1}, block{32, 1, 1}, cluster{1, 1, 1};
  std::uint32_t dynamic_shared = 0;
};

std::vector<std::byte> run_raw(const Raw& raw, const std::vector<std::byte>& in,
                               std::vector<std::byte> out);
// The report of the error it ends with; "" if it ends well. Rows of a kernel that is refused count
// as refused.
std::string error_of(const Raw& raw, std::size_t buffer_bytes = 4096);

template <class O, class I>
std::vector<O> run(const Raw& raw, const std::vector<I>& in, const std::vector<O>& out) {
  Column result = column(out);
  result.data = run_raw(raw, column(in).data, std::move(result.data));
  return values<O>(result);
}
// n elements of zero as the output, no input.
template <class O>
std::vector<O> run(const Raw& raw, std::size_t n) {
  return run<O, std::uint32_t>(raw, std::vector<std::uint32_t>(64), std::vector<O>(n));
}

// ---- values and comparison

// Edge values of an integer type and seeded random ones.
template <class T>
std::vector<T> edges(std::size_t random = 16) {
  using U = std::make_unsigned_t<T>;
  constexpr int kBits = 8 * sizeof(T);
  std::vector<T> v;
  for (U u : {U(0), U(1), U(2), U(3), U(-1), U(-2), U(U(1) << (kBits - 1)),
              U((U(1) << (kBits - 1)) - 1), U((U(1) << (kBits - 1)) + 1), U(U(1) << (kBits / 2)),
              U((U(1) << (kBits / 2)) - 1), U(0x55), U(31), U(32)})
    v.push_back(static_cast<T>(u));
  std::uint64_t state = 0x9e3779b97f4a7c15u;
  for (std::size_t i = 0; i < random; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    v.push_back(static_cast<T>((state >> 32 | state << 32) >> (i % 3 * kBits / 4)));
  }
  return v;
}

// Every pair (or triple) of elements, as columns.
template <class A, class B>
std::pair<std::vector<A>, std::vector<B>> cross(const std::vector<A>& a, const std::vector<B>& b) {
  std::pair<std::vector<A>, std::vector<B>> r;
  for (const A x : a)
    for (const B y : b) r.first.push_back(x), r.second.push_back(y);
  return r;
}
template <class A, class B, class C>
std::tuple<std::vector<A>, std::vector<B>, std::vector<C>> cross(const std::vector<A>& a,
                                                                 const std::vector<B>& b,
                                                                 const std::vector<C>& c) {
  std::tuple<std::vector<A>, std::vector<B>, std::vector<C>> r;
  for (const A x : a)
    for (const B y : b)
      for (const C z : c)
        std::get<0>(r).push_back(x), std::get<1>(r).push_back(y), std::get<2>(r).push_back(z);
  return r;
}

template <class T>
std::string shown(const T& value) {
  unsigned char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  std::string s = "0x";
  for (std::size_t i = sizeof(T); i-- > 0;) {
    s += "0123456789abcdef"[bytes[i] >> 4];
    s += "0123456789abcdef"[bytes[i] & 15];
  }
  return s;
}

// One CHECK for a whole column: bit for bit. Names the first elements that differ, with their
// operands.
template <class D, class... S>
void same(std::string_view text, const std::vector<D>& got, const std::vector<D>& want,
          const std::vector<S>&... in) {
  std::string wrong = got.size() == want.size() ? "" : "another number of results";
  for (std::size_t i = 0; i < got.size() && wrong.size() < 600; ++i) {
    const D g = got[i], w = want[i];
    if (std::memcmp(&g, &w, sizeof(D)) == 0) continue;
    wrong += "\n  [" + std::to_string(i) + "]";
    ((wrong += " " + shown(static_cast<S>(in[i]))), ...);
    wrong += ": got " + shown(g) + ", want " + shown(w);
  }
  INFO(text);
  CHECK(wrong == "");
}

// Runs the text over columns and compares with want(a, b, ...) for each element.
template <class D, class F, class... S>
void expect(std::string_view text, F&& want, const std::vector<S>&... in) {
  const std::vector<D> got = lanes<D>(text, in...);
  std::vector<D> right;
  for (std::size_t i = 0; i < got.size(); ++i)
    right.push_back(static_cast<D>(want(static_cast<S>(in[i])...)));
  same(text, got, right, in...);
}
// ... over all pairs or triples of the given values.
template <class D, class F, class A, class B>
void expect_all(std::string_view text, F&& want, const std::vector<A>& a, const std::vector<B>& b) {
  const auto [x, y] = cross(a, b);
  expect<D>(text, want, x, y);
}
template <class D, class F, class A, class B, class C>
void expect_all(std::string_view text, F&& want, const std::vector<A>& a, const std::vector<B>& b,
                const std::vector<C>& c) {
  const auto [x, y, z] = cross(a, b, c);
  expect<D>(text, want, x, y, z);
}

}  // namespace emu::tests
