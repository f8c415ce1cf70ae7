// SPDX-License-Identifier: MIT
// Short forms for the tests of the reader: a module or one kernel from a few lines, and the line
// and sentence of an error.
#pragma once

#include <memory>
#include <string>

#include "ptx/module.hpp"
#include "support/catch.hpp"

namespace emu::ptx {

// Three lines, so what follows starts in line 4.
inline const std::string kHead = ".version 9.0\n.target sm_90\n.address_size 64\n";

inline std::unique_ptr<Module> module_of(const std::string& text) { return parse(kHead + text); }

// A kernel with a few registers around these statements, which start in line 6.
inline std::unique_ptr<Module> kernel_of(const std::string& statements) {
  return module_of(
      ".visible .entry k(.param .u64 k_param_0)\n"
      "{ .reg .b32 %r<10>; .reg .b64 %rd<10>; .reg .f32 %f<10>; .reg .pred %p<4>; .reg .b128 "
      "%q;\n" +
      statements + "\n}\n");
}

// What parse() says about a text it refuses, "" if it takes it.
inline std::string error_of(const std::string& text) {
  try {
    parse(text);
  } catch (const PtxError& e) {
    return e.what();
  }
  return "";
}
inline std::string module_error(const std::string& text) { return error_of(kHead + text); }
inline std::string kernel_error(const std::string& statements) {
  return error_of(kHead + ".entry k()\n{ .reg .b32 %r<10>; .reg .pred %p<4>;\n" + statements +
                  "\n}\n");
}

inline bool says(const std::string& message, const std::string& part) {
  INFO(message);
  return message.find(part) != std::string::npos;
}

}  // namespace emu::ptx
