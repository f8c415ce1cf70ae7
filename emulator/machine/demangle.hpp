// SPDX-License-Identifier: MIT
// Names as the programmer wrote them.
#pragma once

#include <string>
#include <string_view>

namespace emu::exec {

// "_Z3addPfi" -> "add(float*, int)"; what is no mangled name stays as it is.
std::string demangle(std::string_view name);

}  // namespace emu::exec
