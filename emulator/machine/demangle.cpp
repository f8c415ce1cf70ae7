// SPDX-License-Identifier: MIT
#include "machine/demangle.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <utility>

namespace emu::exec {

std::string demangle(std::string_view name) {
  // The demangler takes types too: a function called f would come out as "float".
  if (!name.starts_with("_Z")) return std::string(name);
  int status = 0;
  std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(std::string(name).c_str(), nullptr, nullptr, &status), std::free);
  if (status != 0 || !text) return std::string(name);
  // nvcc puts what is local to a file into scopes named after the file and a checksum.
  std::string plain = text.get();
  for (const auto& [scope, shown] :
       {std::pair{"_INTERNAL_", ""}, std::pair{"_GLOBAL__N__", "(anonymous namespace)::"}}) {
    for (std::size_t at = 0; (at = plain.find(scope, at)) != std::string::npos;) {
      const std::size_t end = plain.find("::", at);
      if (end == std::string::npos) break;
      plain.replace(at, end + 2 - at, shown);
      at += std::string_view(shown).size();
    }
  }
  return plain;
}

}  // namespace emu::exec
