// SPDX-License-Identifier: MIT
// What stops a kernel, as a finding: the same words as in the emulator's own report.
#pragma once

#include "check/findings.hpp"
#include "machine/fault.hpp"

namespace emu::check {

Finding finding_of(const exec::KernelError& error);

}  // namespace emu::check
