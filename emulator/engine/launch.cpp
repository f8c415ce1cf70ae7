// SPDX-License-Identifier: MIT
// What surrounds the run of a grid: its state is set up, and those who watch are told of its beginning and
// its end, whichever it comes to.
#include "engine/launch.hpp"

#include <atomic>
#include <cfenv>
#include <cstring>
#include <optional>
#include <string>

#include "engine/engine.hpp"
#include "explore/weak_memory.hpp"

namespace emu::exec {
namespace {

// The runtime front knows the limits of the modelled GPU. This one is that of our addresses: what
// is above it would be taken for the rank of a block in the cluster.
void check_shared(const KernelImage& image, std::uint64_t dynamic_bytes) {
  const std::uint64_t bytes =
      std::uint64_t{image.reserved_shared} + image.static_shared + dynamic_bytes;
  if (bytes < std::uint64_t{1} << memory::kClusterRankShift) return;
  throw KernelError{FaultKind::UnknownInstruction,
                    "warp-ladder emulator: cannot run " + image.pretty + ": it needs " +
                        std::to_string(bytes) + " bytes of shared memory\n"};
}

// The host program may round otherwise or flush subnormals (-ffast-math does): kernels do not.
class DefaultArithmetic {
 public:
  DefaultArithmetic() {
    std::fegetenv(&before_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~DefaultArithmetic() { std::fesetenv(&before_); }
  DefaultArithmetic(const DefaultArithmetic&) = delete;
  DefaultArithmetic& operator=(const DefaultArithmetic&) = delete;

 private:
  std::fenv_t before_;
};

// {size of the workspace, barrier}: what cooperative_groups' grid.sync() reads through %envreg1:2.
class CooperativeWorkspace {
 public:
  explicit CooperativeWorkspace(int device)
      : allocation_(space().allocate(64, memory::Kind::Device, device)) {
    constexpr std::uint32_t kContent[2] = {64, 0};
    std::memset(allocation_.bytes, 0, 64);
    std::memcpy(allocation_.bytes, kContent, sizeof kContent);
  }
  ~CooperativeWorkspace() { space().release(allocation_.address); }
  CooperativeWorkspace(const CooperativeWorkspace&) = delete;
  CooperativeWorkspace& operator=(const CooperativeWorkspace&) = delete;
  memory::Address address() const { return allocation_.address; }

 private:
  static memory::AddressSpace& space() { return memory::AddressSpace::instance(); }
  const memory::Allocation& allocation_;
};

// What outlasts a launch: how many there were, and how many warp instructions they took together.
std::atomic<std::uint64_t> launches{0}, elapsed{0};

struct CountElapsed {
  const Grid& grid;
  ~CountElapsed() { elapsed += grid.clock; }
};

Grid grid_of(const LaunchRequest& request, const KernelImage& image) {
  Grid grid;
  grid.kernel = &image;
  grid.profile = request.profile;
  grid.device = request.device;
  grid.id = ++launches;
  grid.timer_start = elapsed;
  grid.grid = request.grid;
  grid.block = request.block;
  grid.cluster = request.cluster;
  grid.reserved_shared = image.reserved_shared;
  grid.static_shared = image.static_shared;
  grid.dynamic_shared = request.dynamic_shared;
  grid.params = request.params;
  grid.heap_limit = request.heap_limit;
  grid.observer = request.observer;
  grid.resident_blocks = request.resident_blocks;
  return grid;
}

// Runs it, and tells those who watch of its beginning and its end.
void run_watched(Grid& grid, const KernelImage& image, const LaunchRequest& request) {
  const std::string schedule = request.schedule ? request.schedule->text() : "";
  if (grid.observer) grid.observer->kernel_begin(grid);
  if (request.tracer) {
    request.tracer->kernel_begin(grid, schedule + (grid.weak ? ", weak memory" : ""));
  }
  try {
    Engine(grid, image, request).run();
  } catch (KernelError& error) {
    if (request.tracer) request.tracer->kernel_end(grid, true);
    if (grid.observer) grid.observer->kernel_failed(grid);
    // Who gets such an error wants to see it again.
    if (!schedule.empty()) {
      error.report += "  again   WARPLADDER_SCHEDULE=" + schedule +
                      (grid.weak ? " WARPLADDER_MEMORY=weak" : "") + "\n";
    }
    throw;
  } catch (...) {
    if (grid.observer) grid.observer->kernel_failed(grid);
    throw;
  }
  if (request.tracer) request.tracer->kernel_end(grid, false);
  if (grid.observer) grid.observer->kernel_end(grid);
}

}  // namespace

LaunchStats launch(const LaunchRequest& request) {
  const DefaultArithmetic arithmetic;
  const auto& image = static_cast<const KernelImage&>(*request.kernel);
  check_shared(image, request.dynamic_shared);
  image.prepare();
  Grid grid = grid_of(request, image);
  const CountElapsed count_elapsed{grid};
  std::optional<WeakMemory> weak;
  if (request.weak_memory && request.schedule) {
    grid.weak = &weak.emplace(grid, request.schedule->seed);
  }
  std::optional<CooperativeWorkspace> workspace;
  if (request.cooperative) {
    grid.cooperative_workspace = workspace.emplace(request.device).address();
  }
  run_watched(grid, image, request);
  return {grid.clock};
}

}  // namespace emu::exec
