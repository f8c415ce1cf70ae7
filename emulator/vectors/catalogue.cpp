// SPDX-License-Identifier: MIT
// Puts the catalogue together and writes its kernels.
#include "vectors/catalogue.hpp"

#include <algorithm>

namespace emu::vectors {
namespace {

constexpr const char* kHeader = ".version 9.0\n.target sm_90\n.address_size 64\n";
constexpr std::size_t kAlign = 16;

std::size_t aligned(std::size_t n) { return (n + kAlign - 1) / kAlign * kAlign; }

std::string load(Family family, const std::string& reg, std::size_t offset) {
  const std::string at = "[%at+" + std::to_string(offset) + "]";
  switch (bytes_of(family)) {
    case 1:
      return "ld.global.u8 %w, " + at + "; setp.ne.u16 " + reg + ", %w, 0;\n";
    case 16:
      return "ld.global.v2.b64 {%lo, %hi}, " + at + "; mov.b128 " + reg + ", {%lo, %hi};\n";
    default:
      return "ld.global." + std::string(register_of(family)) + " " + reg + ", " + at + ";\n";
  }
}
std::string store(Family family, const std::string& reg, std::size_t offset) {
  const std::string at = "[%at+" + std::to_string(offset) + "]";
  switch (bytes_of(family)) {
    case 1:
      return "selp.u16 %w, 1, 0, " + reg + "; st.global.u8 " + at + ", %w;\n";
    case 16:
      return "mov.b128 {%lo, %hi}, " + reg + "; st.global.v2.b64 " + at + ", {%lo, %hi};\n";
    default:
      return "st.global." + std::string(register_of(family)) + " " + at + ", " + reg + ";\n";
  }
}
// Results keep this where the text does not write them.
std::string clear(Family family, const std::string& reg) {
  switch (bytes_of(family)) {
    case 1:
      return "setp.ne.u32 " + reg + ", 0, 0;\n";
    case 16:
      return "mov.b64 %lo, 0; mov.b128 " + reg + ", {%lo, %lo};\n";
    default:
      return "mov." + std::string(register_of(family)) + " " + reg + ", 0;\n";
  }
}

std::size_t default_lanes(const std::vector<Family>& operands) {
  return operands.size() <= 1 ? 384 : 512;
}

}  // namespace

std::string lane_kernel(const std::string& text, const std::vector<Family>& results,
                        const std::vector<Family>& operands, std::size_t n) {
  static const char* const kResults[] = {"%d", "%q"};
  static const char* const kOperands[] = {"%a", "%b", "%c", "%e", "%g"};
  std::string s = kHeader;
  s += ".visible .entry k(.param .u64 in, .param .u64 out) {\n"
       ".reg .b64 %at, %in, %out, %cell, %lo, %hi; .reg .b32 %i, %x, %lane; .reg .b16 %w;\n";
  for (std::size_t k = 0; k < results.size(); ++k)
    s += ".reg ." + std::string(register_of(results[k])) + " " + kResults[k] + ";\n";
  for (std::size_t k = 0; k < operands.size(); ++k)
    s += ".reg ." + std::string(register_of(operands[k])) + " " + kOperands[k] + ";\n";
  s += "ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; mov.u32 %lane, %laneid;\n"
       "mov.u32 %i, %ctaid.x; mov.u32 %x, %tid.x; mad.lo.u32 %i, %i, 128, %x;\n";
  std::size_t offset = 0;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const std::size_t bytes = bytes_of(operands[k]);
    s += "mad.wide.u32 %at, %i, " + std::to_string(bytes) + ", %in;\n";
    s += load(operands[k], kOperands[k], offset);
    offset += aligned(n * bytes);
  }
  std::size_t end = 0;
  for (const Family f : results) end += aligned(n * bytes_of(f));
  s += "mad.wide.u32 %cell, %i, 16, %out; add.u64 %cell, %cell, " + std::to_string(end) + ";\n";
  for (std::size_t k = 0; k < results.size(); ++k) s += clear(results[k], kResults[k]);
  s += "{\n" + text + "\n}\n";
  offset = 0;
  for (std::size_t k = 0; k < results.size(); ++k) {
    const std::size_t bytes = bytes_of(results[k]);
    s += "mad.wide.u32 %at, %i, " + std::to_string(bytes) + ", %out;\n";
    s += store(results[k], kResults[k], offset);
    offset += aligned(n * bytes);
  }
  return s + "ret;\n}\n";
}

// The body may use %r0-%r31, %rd0-%rd31, %rs0-%rs15, %f0-%f15, %fd0-%fd15, %p0-%p15, %x0-%x3 and
// %in, %out (the buffers), %t (%tid.x), %i (number of the thread in the grid), %in4, %out4 (the
// thread's word).
std::string raw_kernel(const Raw& raw) {
  return kHeader + raw.module +
         "\n.visible .entry k(.param .u64 in, .param .u64 out) {\n"
         ".reg .b32 %r<32>; .reg .b64 %rd<32>; .reg .b16 %rs<16>; .reg .f32 %f<16>; .reg .f64 "
         "%fd<16>; .reg .pred %p<16>;\n.reg .b128 %x<4>; .reg .b64 %in, %out, %in4, %out4; .reg "
         ".b32 %t, %i;\n"
         "ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; mov.u32 %t, %tid.x; mov.u32 %r0, "
         "%ctaid.x; mov.u32 %r1, %ntid.x;\nmad.lo.u32 %i, %r0, %r1, %t; mad.wide.u32 %in4, %i, 4, "
         "%in; mad.wide.u32 %out4, %i, 4, %out;\n" +
         raw.body + "\nret;\n}\n";
}

void Builder::lanes(const std::string& row, const std::string& text,
                    const std::vector<Family>& results, const std::vector<Family>& operands,
                    const Lanes& how) {
  Variant v;
  v.row = row;
  v.text = text;
  v.lanes = how.n ? how.n : default_lanes(operands);
  v.operands = operands;
  v.results = results;
  v.rule = how.rule;
  v.ptx = lane_kernel(text, results, operands, v.lanes);
  const auto columns = operands_of(text, operands, v.lanes);
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const auto bytes = packed(operands[k], columns[k]);
    v.input.insert(v.input.end(), bytes.begin(), bytes.end());
    v.input.resize(aligned(v.input.size()));
  }
  for (const Family f : results) v.output_bytes += aligned(v.lanes * bytes_of(f));
  v.scratch_bytes = v.lanes * 16;
  v.block = {128, 1, 1};
  v.grid = {static_cast<std::uint32_t>(v.lanes / 128), 1, 1};
  variants.push_back(std::move(v));
}

void Builder::raw(const std::string& row, const std::string& title, const Raw& raw,
                  std::size_t output_bytes, std::size_t input_bytes) {
  Variant v;
  v.row = row;
  v.text = title;
  v.ptx = raw_kernel(raw);
  // The same noise for all: what only moves data then repeats itself in the file.
  Random r(1);
  v.input.resize(std::max<std::size_t>(input_bytes, 16));
  for (auto& b : v.input) b = static_cast<std::byte>(r.next() >> 56);
  v.output_bytes = output_bytes;
  v.grid = raw.grid;
  v.block = raw.block;
  v.cluster = raw.cluster;
  v.dynamic_shared = raw.dynamic_shared;
  variants.push_back(std::move(v));
}

std::uint64_t Variant::fingerprint() const {
  std::uint64_t h = hash_of(ptx);
  h = hash_of({reinterpret_cast<const char*>(input.data()), input.size()}, h);
  for (const auto* shape : {&grid, &block, &cluster})
    for (const std::uint32_t x : *shape) h = hash_of(std::to_string(x) + ",", h);
  return hash_of(std::to_string(output_bytes) + "," + std::to_string(dynamic_shared), h);
}

const std::vector<Variant>& catalogue() {
  static const std::vector<Variant> all = [] {
    Builder b;
    for (auto* add : {&add_integer, &add_bits, &add_float, &add_approximate, &add_half,
                      &add_compare, &add_logic, &add_convert, &add_move, &add_memory, &add_atomic,
                      &add_warp, &add_async, &add_control})
      add(b);
    return std::move(b.variants);
  }();
  return all;
}

}  // namespace emu::vectors
