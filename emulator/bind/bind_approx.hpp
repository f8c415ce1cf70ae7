// SPDX-License-Identifier: MIT
// Handlers of the approximate forms of instructions that have exact forms too; made in
// bind_approx.cpp.
#pragma once

#include "bind/bind.hpp"

namespace emu::exec {

Handler approx_div_handler(const Binder& b);  // div.approx, div.full; nullptr but for f32
Handler approx_rcp_handler(const Binder& b);  // rcp.approx.f32, rcp.approx.ftz.f64

}  // namespace emu::exec
