// SPDX-License-Identifier: MIT
// Reads the environment once, when the first call of the program needs it.
#include "cudart/environment/startup.hpp"

#include "cudart/environment/checks.hpp"
#include "cudart/environment/observers.hpp"
#include "cudart/environment/say.hpp"
#include "cudart/environment/settings.hpp"

namespace emu::cudart {

exec::Substitute self_check_substitute = nullptr;

namespace {

struct Environment {
  Machine machine;
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
  e.machine = read_machine(setting("WARPLADDER_DEVICE"), setting("WARPLADDER_DEVICES"),
                           setting("WARPLADDER_PEERS"), setting("WARPLADDER_FAIL"));
  if (!e.machine.wrong.empty()) {
    say(e.machine.wrong);
    e.machine = {};
    e.error = cudaErrorInitializationError;
  }
  const int count = static_cast<int>(e.machine.gpus.size());
  if (!e.error) e.error = check_engine();
  if (!e.error) e.error = start_checks(count);
  if (!e.error) e.error = start_counting(*e.machine.gpus.front(), count);
  return e;
}

// Read once, on first use: static constructors of the program may set the environment before. Never destroyed: its
// static destructors may still launch.
const Environment& environment() {
  static const auto* const e = new Environment(read_environment());
  return *e;
}

}  // namespace

cudaError_t environment_error() { return environment().error; }

int device_count() { return static_cast<int>(environment().machine.gpus.size()); }

const Machine& machine() { return environment().machine; }

const devices::Profile& profile(int device) {
  return *environment().machine.gpus[static_cast<std::size_t>(device)];
}

}  // namespace emu::cudart
