// SPDX-License-Identifier: MIT
// Writes a launch down step by step: who does what to which address with which values, and where in
// the source. WARPLADDER_TRACE asks for it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "machine/tracer.hpp"

namespace emu::observe {

class Trace : public Tracer {
 public:
  // Gets one line at a time, with its end.
  using Sink = std::function<void(const std::string& line)>;
  explicit Trace(Sink sink) : sink_(std::move(sink)) {}

  void kernel_begin(const exec::Grid&, std::string_view schedule) override;
  void kernel_end(const exec::Grid&, bool failed) override;
  void before(exec::Warp&, const exec::Instr&, int lane) override;
  void after(exec::Warp&, const exec::Instr&, int lane) override;
  void event(exec::Warp&, const exec::Instr&, LaneMask lanes) override;

 private:
  static constexpr std::size_t kMostBytes = 32;  // of one access
  struct Line {
    std::string who, what, address, value, source;
  };
  Line line_of(const exec::Warp&, const exec::Instr&, LaneMask lanes);
  void write(const Line& line);
  std::string source(const exec::Warp&, const exec::Instr&);

  Sink sink_;
  std::string schedule_;
  std::uint64_t steps_ = 0;
  std::map<std::string, std::vector<std::string>, std::less<>> files_;  // lines of each source file
  // The access that was begun. If it faults, the warp is gone when we write it down.
  bool pending_ = false;
  Line line_;
  const std::byte* at_ = nullptr;  // nullptr: it will fault
  std::array<std::byte, kMostBytes> old_{};
};

}  // namespace emu::observe
