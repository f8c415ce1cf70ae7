// SPDX-License-Identifier: MIT
// Calls, returns and exits. Each returns where the running split goes on; nullptr: others must be looked
// at.
#pragma once

#include "engine/frames.hpp"
#include "program/image.hpp"

namespace emu::exec {

class Calls {
 public:
  Calls(const KernelImage& image, Frames& frames) : image_(image), frames_(frames) {}
  const Instr* call(Warp& warp, const Instr& in, LaneMask on);
  const Instr* leave(Warp& warp, const Instr& in, LaneMask on);
  const Instr* exit_lanes(Warp& warp, const Instr& in, LaneMask on);

 private:
  const KernelImage& image_;
  Frames& frames_;
};

}  // namespace emu::exec
