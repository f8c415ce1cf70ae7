// SPDX-License-Identifier: MIT
// The common end of all stubs.
#include "cudart/exports/unsupported.hpp"

#include <string>

#include "cudart/calls/errors.hpp"
#include "cudart/environment/say.hpp"

namespace emu::cudart {

int unsupported(const char* name, std::atomic_flag& told) {
  if (!told.test_and_set()) say(std::string(name) + " is not supported");
  return finish(cudaErrorNotSupported);
}

}  // namespace emu::cudart
