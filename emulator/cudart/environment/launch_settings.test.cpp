// SPDX-License-Identifier: MIT
// What the environment says at a launch: read anew each time, and refused in one line.
#include "cudart/environment/launch_settings.hpp"

#include <cstdlib>

#include "support/captured.hpp"
#include "support/catch.hpp"

namespace emu::cudart {
namespace {

struct Environment {
  void set(const char* name, const char* value) { setenv(name, value, 1); }
  ~Environment() {
    for (const char* name : {"WARPLADDER_SCHEDULE", "WARPLADDER_TRACE", "WARPLADDER_TRACE_KERNEL"})
      unsetenv(name);
  }
};

struct Launch {
  exec::Kernel kernel;
  exec::LaunchRequest request;
  cudaError_t error = cudaSuccess;
  std::string said;

  Launch() {
    kernel.pretty = "push(int*)";
    request.kernel = &kernel;
    said = support::captured(stderr, [&] { error = apply_settings(request); });
  }
};

TEST_CASE("a schedule is read at every launch") {
  Environment environment;
  CHECK_FALSE(Launch().request.schedule);
  environment.set("WARPLADDER_SCHEDULE", "random:5");
  CHECK(Launch().request.schedule->text() == "random:5");
  environment.set("WARPLADDER_SCHEDULE", "pct:6:2");
  CHECK(Launch().request.schedule->text() == "pct:6:2");
  environment.set("WARPLADDER_SCHEDULE", "");
  CHECK_FALSE(Launch().request.schedule);
}

TEST_CASE("what is no schedule refuses the launch in one line") {
  Environment environment;
  environment.set("WARPLADDER_SCHEDULE", "fifo");
  const Launch launch;
  CHECK(launch.error == cudaErrorInvalidValue);
  CHECK(launch.said ==
        "warp-ladder emulator: WARPLADDER_SCHEDULE=fifo is no schedule: random:SEED, pct:SEED or "
        "pct:SEED:DEPTH, SEED a number and DEPTH 1 to 1000; replay:FILE; or lockstep\n");
}

TEST_CASE("a trace goes to the terminal or to a file, of all kernels or of some") {
  Environment environment;
  CHECK(Launch().request.tracer == nullptr);
  environment.set("WARPLADDER_TRACE", "0");
  CHECK(Launch().request.tracer == nullptr);
  environment.set("WARPLADDER_TRACE", "1");
  CHECK(Launch().request.tracer != nullptr);
  environment.set("WARPLADDER_TRACE_KERNEL", "pop");
  CHECK(Launch().request.tracer == nullptr);
  environment.set("WARPLADDER_TRACE_KERNEL", "push");
  CHECK(Launch().request.tracer != nullptr);
  environment.set("WARPLADDER_TRACE", "/no/such/folder/trace");
  const Launch launch;
  CHECK(launch.error == cudaErrorInvalidValue);
  CHECK(launch.said.find("WARPLADDER_TRACE=/no/such/folder/trace is neither 1 (print to the "
                         "terminal) nor a file that can be written: ") != std::string::npos);
}

}  // namespace
}  // namespace emu::cudart
