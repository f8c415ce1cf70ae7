// SPDX-License-Identifier: MIT
// Which GPUs there are (from the environment), which one each thread uses, and what was set on
// them.
#include <array>
#include <charconv>
#include <string_view>

#include "cudart/devices/device.hpp"
#include "cudart/environment/observers.hpp"
#include "cudart/environment/settings.hpp"

namespace emu::cudart {

exec::Substitute self_check_substitute = nullptr;

namespace {

constexpr int kMostDevices = 16;

struct Environment {
  const devices::Profile* profile = &devices::all().front();
  int count = 1;
  cudaError_t error = cudaSuccess;
};

// A wrong result must not reach anybody: where the compiler broke the engine, every call fails.
cudaError_t check_engine() {
  const auto failure = exec::self_check(self_check_substitute);
  if (!failure) return cudaSuccess;
  say(exec::describe(*failure));
  return cudaErrorInitializationError;
}

Environment read_environment() {
  Environment e;
  if (const std::string id = setting("WARPLADDER_DEVICE"); !id.empty()) {
    e.profile = devices::find(id);
    if (!e.profile) {
      std::string known;
      for (const auto& p : devices::all()) known += (known.empty() ? "" : ", ") + std::string(p.id);
      say("WARPLADDER_DEVICE=" + id + " names no GPU the emulator knows; there are " + known);
      e.profile = &devices::all().front();
      e.error = cudaErrorInitializationError;
    }
  }
  if (const std::string text = setting("WARPLADDER_DEVICES"); !text.empty()) {
    const std::string_view view(text);
    const auto [end, bad] = std::from_chars(view.data(), view.data() + view.size(), e.count);
    if (bad != std::errc{} || end != view.data() + view.size() || e.count < 1 ||
        e.count > kMostDevices) {
      say("WARPLADDER_DEVICES=" + std::string(view) + " is not a number of GPUs from 1 to " +
          std::to_string(kMostDevices));
      e.count = 1;
      e.error = cudaErrorInitializationError;
    }
  }
  if (!e.error) e.error = check_engine();
  if (!e.error) e.error = start_counting(*e.profile);
  return e;
}

// Read once, on first use: static constructors of the program may set the environment before.
const Environment& environment() {
  static const Environment e = read_environment();
  return e;
}

thread_local int current = 0;

}  // namespace

cudaError_t environment_error() { return environment().error; }

int device_count() { return environment().count; }

int current_device() { return current; }

void set_current_device(int device) { current = device; }

const devices::Profile& profile(int) { return *environment().profile; }

DeviceState& device_state(int device) {
  static auto* states = new std::array<DeviceState, kMostDevices>;
  return (*states)[static_cast<std::size_t>(device)];
}

DeviceLimits& limits(int device) { return device_state(device).limits; }

}  // namespace emu::cudart
