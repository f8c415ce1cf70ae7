// SPDX-License-Identifier: MIT
// What is told of every operation that other threads can see, one lane at a time and with the values
// before and after. A launch that is traced runs slower; one that is not pays nothing.
#pragma once

#include <string_view>

#include "machine/observer.hpp"

namespace emu::observe {

class Tracer {
 public:
  virtual ~Tracer() = default;
  virtual void kernel_begin(const exec::Grid&, std::string_view schedule) = 0;  // "": no seed
  virtual void kernel_end(const exec::Grid&, bool failed) = 0;
  // Around a load, store, atomic or reduction of one lane. `after` does not come if it faults.
  virtual void before(exec::Warp&, const exec::Instr&, int lane) = 0;
  virtual void after(exec::Warp&, const exec::Instr&, int lane) = 0;
  // Anything else: fences, barriers (on arrival), sleep, reads of the active mask (when done).
  virtual void event(exec::Warp&, const exec::Instr&, LaneMask lanes) = 0;
};

}  // namespace emu::observe
