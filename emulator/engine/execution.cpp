// SPDX-License-Identifier: MIT
// What surrounds the run of a grid: its state is set up, and those who watch are told of its beginning and
// its end, whichever it comes to.
#include "engine/execution.hpp"

#include <atomic>
#include <cfenv>
#include <cstring>
#include <string>
#include <utility>

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

// What outlasts a launch: how many there were, and how many warp instructions they took together.
std::atomic<std::uint64_t> launches{0}, elapsed{0};

Grid grid_of(const LaunchRequest& request, const KernelImage& image) {
  Grid grid;
  grid.kernel = &image;
  grid.profile = request.profile;
  grid.device = request.device;
  grid.several_devices = request.several_devices;
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

}  // namespace

// {size of the workspace, barrier}: what cooperative_groups' grid.sync() reads through %envreg1:2.
class Execution::CooperativeWorkspace {
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

Execution::Execution(LaunchRequest request, WeakMemory* shared)
    : request_(std::move(request)),
      image_(static_cast<const KernelImage&>(*request_.kernel)),
      schedule_(request_.schedule ? request_.schedule->text() : "") {
  check_shared(image_, request_.dynamic_shared);
  image_.prepare();
  grid_ = grid_of(request_, image_);
  if (request_.weak_memory && request_.schedule) {
    if (!shared) shared = &own_weak_.emplace(request_.schedule->seed);
    grid_.weak = shared;
    shared->begin(grid_);
  }
  if (request_.cooperative) {
    workspace_ = std::make_unique<CooperativeWorkspace>(request_.device);
    grid_.cooperative_workspace = workspace_->address();
  }
  if (grid_.observer) grid_.observer->kernel_begin(grid_);
  if (request_.tracer) {
    request_.tracer->kernel_begin(grid_, schedule_ + (grid_.weak ? ", weak memory" : ""));
  }
  engine_ = std::make_unique<Engine>(grid_, image_, request_);
}

Execution::~Execution() {
  // cudaDeviceReset() leaves it where it is.
  if (!over_ && !failed_ && grid_.observer) grid_.observer->kernel_failed(grid_);
  engine_.reset();  // before the grid that it runs
  if (grid_.weak) grid_.weak->end(grid_);
  elapsed += grid_.clock;
}

bool Execution::turn(std::uint64_t turns) {
  const DefaultArithmetic arithmetic;
  try {
    stuck_ = woken_ = false;
    for (; turns > 0 && !over_ && !stuck_; --turns) {
      const Engine::Turn now = engine_->turn();
      over_ = now == Engine::Turn::Over;
      stuck_ = now == Engine::Turn::Stuck;
    }
  } catch (KernelError& error) {
    tell_failure(error);
    throw;
  } catch (...) {
    failed_ = true;
    if (grid_.observer) grid_.observer->kernel_failed(grid_);
    throw;
  }
  if (!over_) return false;
  if (request_.tracer) request_.tracer->kernel_end(grid_, false);
  if (grid_.observer) grid_.observer->kernel_end(grid_);
  return true;
}

void Execution::give_up() {
  try {
    engine_->stuck(true);
  } catch (KernelError& error) {
    tell_failure(error);
    throw;
  }
}

void Execution::tell_failure(KernelError& error) {
  failed_ = true;
  if (request_.tracer) request_.tracer->kernel_end(grid_, true);
  if (grid_.observer) grid_.observer->kernel_failed(grid_);
  // Who gets such an error wants to see it again.
  if (!schedule_.empty()) {
    error.report += "  again   WARPLADDER_SCHEDULE=" + schedule_ +
                    (grid_.weak ? " WARPLADDER_MEMORY=weak" : "") + "\n";
  }
}

LaunchStats launch(const LaunchRequest& request) {
  Execution execution(request);
  while (!execution.turn(~std::uint64_t{0})) {
    if (execution.stuck()) execution.give_up();
  }
  return {execution.grid().clock};
}

}  // namespace emu::exec
