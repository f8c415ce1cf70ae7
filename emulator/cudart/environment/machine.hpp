// SPDX-License-Identifier: MIT
// The machine that the emulator pretends to be: which GPUs (WARPLADDER_DEVICE, WARPLADDER_DEVICES), which of them
// reach each other's memory (WARPLADDER_PEERS), and which one fails when (WARPLADDER_FAIL).
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "devices/profile.hpp"

namespace emu::cudart {

inline constexpr int kMostDevices = 16;

struct Machine {
  std::vector<const devices::Profile*> gpus{&devices::all().front()};  // by number
  std::vector<std::pair<int, int>> pairs;                              // peers, if only some are
  bool all_peers = true;
  // The device that stops working when its launch of this number begins, from 1; 0: none does.
  int failing_device = 0;
  std::uint64_t failing_launch = 0;
  std::string wrong;  // what is the matter with a setting, in one line; empty: nothing

  bool peers(int a, int b) const;
};

// The texts are the values of the four settings, empty where one is not set.
Machine read_machine(const std::string& device, const std::string& devices,
                     const std::string& peers, const std::string& fail);

}  // namespace emu::cudart
