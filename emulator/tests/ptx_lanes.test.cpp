// SPDX-License-Identifier: MIT
// The harness of ptx_lanes.hpp: kernels around instructions, launches, the record of what was
// executed.
#include "tests/ptx_lanes.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

#include "devices/profile.hpp"
#include "engine/launch.hpp"
#include "machine/observer.hpp"
#include "memory/address_space.hpp"
#include "ptx/module.hpp"

namespace emu::tests {
namespace {

std::vector<const RowTest*>& registry() {
  static std::vector<const RowTest*> tests;
  return tests;
}

void note(std::set<std::pair<ptx::Row, ptx::Type>>& set, const ptx::Instruction& ins) {
  set.insert({ins.row, ptx::Type::None});
  for (const auto type : ins.types) set.insert({ins.row, type});
}

class Recorder : public observe::Observer {
 public:
  void instruction(const exec::Warp&, const exec::Instr& in, observe::LaneMask,
                   observe::LaneMask on) override {
    if (on != 0 && in.source != nullptr) note(seen().executed, *in.source);
  }
};

class Buffer {
 public:
  explicit Buffer(const std::vector<std::byte>& content)
      : size_(content.size()),
        allocation_(
            memory::AddressSpace::instance().allocate(content.size(), memory::Kind::Device, 0)) {
    std::copy(content.begin(), content.end(), allocation_.bytes);
  }
  ~Buffer() { memory::AddressSpace::instance().release(allocation_.address); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  std::uint64_t address() const { return allocation_.address; }
  std::vector<std::byte> content() const { return {allocation_.bytes, allocation_.bytes + size_}; }

 private:
  std::size_t size_;
  memory::Allocation& allocation_;
};

struct Loaded {
  explicit Loaded(std::string text)
      : module(ptx::parse(std::move(text))),
        program({module}, 0),
        kernel(program.kernel("kernel_under_test")) {}
  std::shared_ptr<const ptx::Module> module;
  exec::Program program;
  const exec::Kernel* kernel;
};

exec::LaunchRequest request_of(const Loaded& loaded, const std::vector<std::uint64_t>& args) {
  exec::LaunchRequest request;
  request.kernel = loaded.kernel;
  request.params.resize(loaded.kernel->param_bytes);
  for (std::size_t i = 0; i < args.size(); ++i)
    std::memcpy(request.params.data() + loaded.kernel->function->params.at(i).offset, &args[i], 8);
  request.profile = devices::find("h200");
  request.resident_blocks = request.profile->multiprocessors;
  request.instruction_limit = 2'000'000;
  return request;
}

constexpr const char* kHeader = ".version 8.6\n.target sm_90\n.address_size 64\n";

// ---- lane-wise kernels

std::string parameters(std::size_t n) {
  std::string s;
  for (std::size_t k = 0; k < n; ++k)
    s += (k ? ", .param .u64 p" : ".param .u64 p") + std::to_string(k);
  return s;
}

std::string load(const Column& c, const std::string& reg) {
  if (c.type == "pred") return "ld.global.u8 %w, [%at]; setp.ne.u16 " + reg + ", %w, 0;\n";
  if (c.type == "b128")
    return "ld.global.v2.b64 {%lo, %hi}, [%at]; mov.b128 " + reg + ", {%lo, %hi};\n";
  return "ld.global." + std::string(c.type) + " " + reg + ", [%at];\n";
}
// What a register holds before the instruction under test: lanes that are switched off must keep
// it.
std::string preset(const Column& c, const std::string& reg) {
  if (c.type == "pred") return "setp.ne.u32 " + reg + ", 0, 0;\n";
  if (c.type == "b128")
    return "mov.b64 %lo, 0x5a5a5a5a5a5a5a5a; mov.b128 " + reg + ", {%lo, %lo};\n";
  if (c.type == "b16") return "mov.b16 " + reg + ", 0x5a5a;\n";
  if (c.bytes == 4) return "mov." + std::string(c.type) + " " + reg + ", 0f5a5a5a5a;\n";
  return "mov." + std::string(c.type) + " " + reg + ", 0d5a5a5a5a5a5a5a5a;\n";
}
std::string store(const Column& c, const std::string& reg) {
  if (c.type == "pred") return "selp.u16 %w, 1, 0, " + reg + "; st.global.u8 [%at], %w;\n";
  if (c.type == "b128")
    return "mov.b128 {%lo, %hi}, " + reg + "; st.global.v2.b64 [%at], {%lo, %hi};\n";
  return "st.global." + std::string(c.type) + " [%at], " + reg + ";\n";
}

std::string lane_kernel(std::string_view text, const std::vector<Column>& results,
                        const std::vector<Column>& inputs) {
  static const char* const kResults[] = {"%d", "%q"};
  static const char* const kInputs[] = {"%a", "%b", "%c", "%e", "%g"};
  const auto place = [](std::size_t k, std::size_t bytes) {
    return "ld.param.u64 %at, [p" + std::to_string(k) + "]; mad.wide.u32 %at, %number, " +
           std::to_string(bytes) + ", %at;\n";
  };
  std::string s = kHeader;
  s += ".visible .entry kernel_under_test(" + parameters(results.size() + inputs.size() + 1) +
       ") {\n";
  s += ".reg .b64 %at, %lo, %hi, %on64; .reg .b32 %number, %ta, %tb, %bit; .reg .b16 %w; .reg "
       ".pred %on;\n";
  for (std::size_t k = 0; k < results.size(); ++k)
    s += ".reg ." + std::string(results[k].type) + " " + kResults[k] + ";\n";
  for (std::size_t k = 0; k < inputs.size(); ++k)
    s += ".reg ." + std::string(inputs[k].type) + " " + kInputs[k] + ";\n";
  s += "mov.u32 %ta, %ctaid.x; mov.u32 %tb, %tid.x; mov.u32 %number, %ntid.x;\n";
  s += "mad.lo.u32 %number, %ta, %number, %tb;\n";
  for (std::size_t k = 0; k < inputs.size(); ++k)
    s += place(results.size() + k, inputs[k].bytes) + load(inputs[k], kInputs[k]);
  for (std::size_t k = 0; k < results.size(); ++k) s += preset(results[k], kResults[k]);
  s += "ld.param.u64 %on64, [p" + std::to_string(results.size() + inputs.size()) +
       "]; cvt.u32.u64 %ta, %on64;\n";
  s += "mov.u32 %bit, %laneid; shr.u32 %ta, %ta, %bit; and.b32 %ta, %ta, 1; setp.ne.u32 %on, %ta, "
       "0;\n";
  s += "@!%on bra BEHIND;\n{\n" + std::string(text) + "\n}\nBEHIND:\n";
  for (std::size_t k = 0; k < results.size(); ++k)
    s += place(k, results[k].bytes) + store(results[k], kResults[k]);
  return s + "ret;\n}\n";
}

void launch_columns(const Loaded& loaded, std::vector<Column>& results,
                    const std::vector<Column>& inputs, std::size_t n, std::uint32_t mask,
                    observe::Observer* observer) {
  std::vector<std::unique_ptr<Buffer>> buffers;
  std::vector<std::uint64_t> args;
  const auto add = [&](std::vector<std::byte> data) {
    buffers.push_back(std::make_unique<Buffer>(data));
    args.push_back(buffers.back()->address());
  };
  for (const auto& c : results) add(std::vector<std::byte>(n * c.bytes));
  for (const auto& c : inputs) {
    auto padded = c.data;
    padded.resize(n * c.bytes);
    add(padded);
  }
  args.push_back(mask);
  auto request = request_of(loaded, args);
  request.block = {static_cast<std::uint32_t>(std::min<std::size_t>(n, 128)), 1, 1};
  request.grid = {static_cast<std::uint32_t>((n + 127) / 128), 1, 1};
  request.observer = observer;
  exec::launch(request);
  for (std::size_t k = 0; k < results.size(); ++k) results[k].data = buffers[k]->content();
}

std::string raw_kernel(const Raw& raw) {
  std::string s = kHeader + raw.module;
  s += "\n.visible .entry kernel_under_test(" + parameters(2) + ") {\n";
  s += ".reg .b32 %r<32>; .reg .b64 %rd<32>; .reg .b16 %rs<16>; .reg .f32 %f<16>; .reg .f64 "
       "%fd<16>;\n";
  s += ".reg .pred %p<16>; .reg .b128 %x<4>; .reg .b64 %in, %out, %in4, %in8, %out4, %out8; .reg "
       ".b32 %t, %i;\n";
  s += "ld.param.u64 %in, [p0]; ld.param.u64 %out, [p1]; mov.u32 %r0, %ctaid.x; mov.u32 %r1, "
       "%ntid.x;\n";
  s += "mov.u32 %t, %tid.x; mad.lo.u32 %i, %r0, %r1, %t; mad.wide.u32 %in4, %i, 4, %in; "
       "mad.wide.u32 %in8, %i, 8, %in;\n";
  s += "mad.wide.u32 %out4, %i, 4, %out; mad.wide.u32 %out8, %i, 8, %out;\n";
  return s + raw.body + "\nret;\n}\n";
}

std::vector<std::byte> launch_raw(const Loaded& loaded, const Raw& raw,
                                  const std::vector<std::byte>& in,
                                  const std::vector<std::byte>& out, observe::Observer* observer) {
  const Buffer input(in), output(out);
  auto request = request_of(loaded, {input.address(), output.address()});
  request.grid = raw.grid;
  request.block = raw.block;
  request.cluster = raw.cluster;
  request.dynamic_shared = raw.dynamic_shared;
  request.observer = observer;
  exec::launch(request);
  return output.content();
}

// A test that expects no error shows the one it got.
template <class F>
void or_fail(std::string_view text, F&& f) {
  std::string report;
  try {
    f();
    return;
  } catch (const exec::KernelError& error) {
    report = error.report;
  } catch (const std::exception& error) {
    report = error.what();
  }
  FAIL(text << "\n" << report);
}

}  // namespace

RowTest::RowTest(ptx::Row row, void (*body)()) : row_(row), body_(body) {
  registry().push_back(this);
}
void RowTest::run() const {
  ran_ = true;
  body_();
}
const std::vector<const RowTest*>& RowTest::all() { return registry(); }

Seen& seen() {
  static Seen instance;
  return instance;
}

void run_columns(std::string_view text, std::vector<Column>& results,
                 const std::vector<Column>& inputs) {
  std::size_t n = 32;
  for (const auto& c : inputs) n = std::max(n, c.data.size() / c.bytes);
  const std::size_t given = inputs.empty() ? n : inputs[0].data.size() / inputs[0].bytes;
  n = n <= 128 ? (n + 31) / 32 * 32 : (n + 127) / 128 * 128;
  or_fail(text, [&] {
    const Loaded loaded(lane_kernel(text, results, inputs));
    launch_columns(loaded, results, inputs, n, ~0u, nullptr);
    Recorder recorder;
    // Many lanes, every lane of which is watched; and few, which take another way.
    for (const auto& [mask, observer] :
         {std::pair<std::uint32_t, observe::Observer*>{0xffffffffu, &recorder},
          {0x7f3c9a51u, nullptr},
          {0x80010002u, nullptr}}) {
      auto partly = results;
      launch_columns(loaded, partly, inputs, n, mask, observer);
      for (std::size_t k = 0; k < results.size(); ++k) {
        const std::size_t bytes = results[k].bytes;
        const std::byte kept{results[k].type == "pred" ? std::uint8_t{0} : std::uint8_t{0x5a}};
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < n * bytes; ++i)
          wrong +=
              partly[k].data[i] != ((mask >> (i / bytes % 32) & 1) ? results[k].data[i] : kept);
        INFO(text << " with lanes " << std::hex << mask);
        CHECK(wrong == 0);
      }
    }
  });
  for (auto& c : results) c.data.resize(given * c.bytes);
}

std::vector<std::byte> run_raw(const Raw& raw, const std::vector<std::byte>& in,
                               std::vector<std::byte> out) {
  or_fail(raw.body, [&] {
    const Loaded loaded(raw_kernel(raw));
    Recorder recorder;
    const auto observed = launch_raw(loaded, raw, in, out, &recorder);
    out = launch_raw(loaded, raw, in, out, nullptr);
    INFO(raw.body);
    CHECK((observed == out));
  });
  return out;
}

std::string error_of(const Raw& raw, std::size_t buffer_bytes) {
  try {
    const Loaded loaded(raw_kernel(raw));
    const std::vector<std::byte> zeros(buffer_bytes);
    Recorder recorder;
    try {
      launch_raw(loaded, raw, zeros, zeros, &recorder);
    } catch (const exec::KernelError& error) {
      if (error.kind == exec::FaultKind::UnknownInstruction)
        for (const auto& ins : loaded.kernel->function->code) note(seen().refused, ins);
      return error.report;
    }
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("the harness gives each element its own lane and keeps the order") {
  std::vector<std::uint32_t> a, b;
  for (std::uint32_t i = 0; i < 300; ++i) a.push_back(i), b.push_back(1000 * i);
  expect<std::uint32_t>(
      "add.u32 %d, %a, %b;", [](std::uint32_t x, std::uint32_t y) { return x + y; }, a, b);
}

TEST_CASE("the harness passes predicates, halves, doubles and 128-bit values through") {
  const std::vector<bool> p{true, false, true};
  CHECK(lanes<bool>("not.pred %d, %a;", p) == std::vector<bool>{false, true, false});
  const std::vector<std::uint16_t> h{1, 0xffff, 0x1234};
  CHECK(lanes<std::uint16_t>("mov.b16 %d, %a;", h) == h);
  const std::vector<double> x{1.5, -2.5, 1e300};
  CHECK(lanes<double>("mov.f64 %d, %a;", x) == x);
  const std::vector<Bits128> w{{1, 2}, {3, 4}};
  CHECK((lanes<Bits128>("mov.b128 %d, %a;", w) == w));
}

}  // namespace emu::tests
