// SPDX-License-Identifier: MIT
// Explains a crash of the host program on a device pointer.
#pragma once

namespace emu::cudart {

// Installs the handler, unless the program has one of its own for SIGSEGV.
void watch_host_faults();

}  // namespace emu::cudart
