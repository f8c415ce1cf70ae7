// SPDX-License-Identifier: MIT
// Runs a kernel written in PTX through reader, linker and engine, for tests of the engine: one
// output buffer of 32-bit words, every launch option open.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "devices/profile.hpp"
#include "engine/launch.hpp"
#include "memory/address_space.hpp"
#include "ptx/module.hpp"
#include "support/catch.hpp"

namespace emu::exec::testing {

using Words = std::vector<std::uint32_t>;

inline const std::string kHead = ".version 9.0\n.target sm_90\n.address_size 64\n";

// The body may use %r0-%r31, %rd0-%rd31, %p0-%p15 and: %out (the buffer), %t (%tid.x), %i (number
// of the thread in a grid of one dimension), %out4 (the i-th word). A return is appended.
inline std::string kernel_text(const std::string& body, const std::string& module = {}) {
  return kHead + module +
         "\n.visible .entry k(.param .u64 p0) {\n"
         ".reg .b32 %r<32>; .reg .b64 %rd<32>; .reg .pred %p<16>; .reg .b64 %out, %out4;\n"
         ".reg .b32 %t, %i;\n"
         "ld.param.u64 %out, [p0]; mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x;\n"
         "mov.u32 %t, %tid.x; mad.lo.u32 %i, %r0, %r1, %t; mad.wide.u32 %out4, %i, 4, %out;\n" +
         body + "\nret;\n}\n";
}

inline std::shared_ptr<const ptx::Module> parsed(std::string text) {
  return ptx::parse(std::move(text));
}

class Run {
 public:
  explicit Run(const std::string& body, const std::string& module = {})
      : program_({parsed(kernel_text(body, module))}, 0) {
    request.kernel = program_.kernel("k");
    request.grid = {1, 1, 1};
    request.block = {32, 1, 1};
    request.profile = devices::find("h200");
    request.resident_blocks = 64;
    request.instruction_limit = 20'000'000;
  }
  Run& grid(std::uint32_t blocks) { return request.grid = {blocks, 1, 1}, *this; }
  Run& block(std::uint32_t threads) { return request.block = {threads, 1, 1}, *this; }

  // Launches on a buffer of n words, all zero; the words afterwards.
  Words words(std::size_t n = 32) {
    std::string report;
    const Words result = launch_on(n, report);
    INFO(report);
    REQUIRE(report.empty());
    return result;
  }
  // The report of the error it must end with.
  std::string error(FaultKind kind, std::size_t n = 32) {
    std::string report;
    launch_on(n, report);
    INFO(report);
    REQUIRE_FALSE(report.empty());
    CHECK(kind_ == kind);
    return report;
  }

  LaunchRequest request;
  LaunchStats stats;

 private:
  Words launch_on(std::size_t n, std::string& report) {
    auto& space = memory::AddressSpace::instance();
    auto& buffer = space.allocate(n * 4, memory::Kind::Device, 0);
    std::memset(buffer.bytes, 0, n * 4);
    request.params.resize(request.kernel->param_bytes);
    std::memcpy(request.params.data(), &buffer.address, 8);
    try {
      stats = launch(request);
    } catch (const KernelError& e) {
      kind_ = e.kind;
      report = e.report;
    }
    Words result(n);
    std::memcpy(result.data(), buffer.bytes, n * 4);
    space.release(buffer.address);
    return result;
  }

  Program program_;
  FaultKind kind_ = FaultKind::Trap;
};

// Whether a report holds a text; shows the report if not.
inline bool says(const std::string& report, const std::string& part) {
  UNSCOPED_INFO(report);
  return report.find(part) != std::string::npos;
}

inline Words filled(std::size_t n, std::uint32_t value) { return Words(n, value); }

}  // namespace emu::exec::testing
