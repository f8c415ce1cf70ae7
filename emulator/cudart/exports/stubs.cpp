// SPDX-License-Identifier: MIT
// One function for every name in exports.def that is marked UNSUPPORTED, so that any program loads.
// The CUDA headers are left out on purpose: the arguments are not looked at, and the declarations
// there would not match.
#include "cudart/exports/unsupported.hpp"

#define IMPLEMENTED(name)
#define UNSUPPORTED(name)                                        \
  extern "C" __attribute__((visibility("default"))) int name() { \
    static std::atomic_flag told;                                \
    return emu::cudart::unsupported(#name, told);                \
  }
#include "cudart/exports/exports.def"
