// SPDX-License-Identifier: MIT
// Reads the environment once, when the first call of the program needs it.
#include "cudart/environment/startup.hpp"

#include <charconv>
#include <string>
#include <string_view>

#include "cudart/environment/checks.hpp"
#include "cudart/environment/observers.hpp"
#include "cudart/environment/say.hpp"
#include "cudart/environment/settings.hpp"

namespace emu::cudart {

exec::Substitute self_check_substitute = nullptr;

namespace {

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
  if (!e.error) e.error = start_checks();
  if (!e.error) e.error = start_counting(*e.profile);
  return e;
}

// Read once, on first use: static constructors of the program may set the environment before.
const Environment& environment() {
  static const Environment e = read_environment();
  return e;
}

}  // namespace

cudaError_t environment_error() { return environment().error; }

int device_count() { return environment().count; }

const devices::Profile& profile(int) { return *environment().profile; }

}  // namespace emu::cudart
