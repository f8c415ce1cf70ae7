// SPDX-License-Identifier: MIT
// What parse() throws for a text that is not a PTX module.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace emu::ptx {

// what() is "line 12: ..."; the line counts from 1 in the PTX text.
class PtxError : public std::runtime_error {
 public:
  PtxError(std::uint32_t line, const std::string& message)
      : std::runtime_error("line " + std::to_string(line) + ": " + message), line_(line) {}

  std::uint32_t line() const { return line_; }

 private:
  std::uint32_t line_;
};

}  // namespace emu::ptx
