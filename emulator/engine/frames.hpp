// SPDX-License-Identifier: MIT
// The frames of a launch: registers and parameters of functions that are being called. They are used again,
// since most kernels call the same functions over and over.
#pragma once

#include <memory>
#include <vector>

#include "machine/warp.hpp"

namespace emu::exec {

class Frames {
 public:
  // A frame for lanes that call `code` together; grows the warp's local memory. Faults if the call
  // stack overflows.
  Frame* make(Warp& warp, const Code& code, Frame* caller, LaneMask lanes);
  void drop(Frame* frame);
  // All registers are zero again, and hold the addresses of local variables where they must.
  static void reset(Frame& frame, const Code& code);

 private:
  std::vector<std::unique_ptr<Frame>> all_;  // ever made
  std::vector<Frame*> free_;
};

}  // namespace emu::exec
