// SPDX-License-Identifier: MIT
// What surrounds a kernel that runs by turns: its observers, the weak memory that it shares, its time, its failure.
#include "cudart/launching/kernel_under_way.hpp"

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "check/together.hpp"
#include "cudart/calls/errors.hpp"
#include "cudart/devices/clock.hpp"
#include "cudart/environment/checks.hpp"
#include "cudart/environment/observers.hpp"
#include "cudart/environment/say.hpp"
#include "cudart/environment/startup.hpp"
#include "cudart/launching/failure.hpp"
#include "cudart/launching/peer_traffic.hpp"
#include "engine/execution.hpp"

namespace emu::cudart {
namespace {

std::shared_ptr<exec::WeakMemory> weak_for(const exec::LaunchRequest& request) {
  const bool wanted = request.weak_memory && request.schedule;
  return wanted ? shared_weak_memory(request.schedule->seed) : nullptr;
}

class KernelUnderWay final : public UnderWay {
 public:
  explicit KernelUnderWay(exec::LaunchRequest request)
      : device_(request.device),
        weak_(weak_for(request)),
        execution_(with_traffic(std::move(request)), weak_.get()) {}

  int device() const override { return device_; }
  bool turn(std::uint64_t turns) override {
    try {
      if (!execution_.turn(turns)) return false;
      advance_clock_by_kernel(execution_.grid().clock, modelled_ns(device_), device_,
                              traffic_.bytes());
    } catch (const exec::KernelError& e) {
      tell(e, device_);
    }
    return true;
  }
  bool stuck() const override { return execution_.stuck(); }
  std::uint64_t idle() const override { return execution_.idle(); }
  std::uint64_t changes() const override { return execution_.grid().memory_changes; }
  void others_changed() override { execution_.others_changed(); }
  void give_up() override {
    try {
      execution_.give_up();
    } catch (const exec::KernelError& e) {
      tell(e, device_);
    }
  }

 private:
  // Only where times are modelled somebody wants to know what the links carry.
  exec::LaunchRequest with_traffic(exec::LaunchRequest request) {
    observe::Observer* const counter = launch_counter(request.device);
    if (!counter) return request;
    check::Checker* const checker = launch_checker();
    request.observer = &counted_.emplace(*counter, traffic_);
    if (checker) request.observer = &checked_.emplace(*counted_, *checker);
    return request;
  }

  int device_;
  std::shared_ptr<exec::WeakMemory> weak_;
  PeerTraffic traffic_;
  std::optional<check::Together> counted_, checked_;
  exec::Execution execution_;
};

}  // namespace

std::unique_ptr<UnderWay> begin_kernel(exec::LaunchRequest request) {
  if (request.schedule) request.schedule->device = static_cast<std::uint64_t>(request.device);
  return std::make_unique<KernelUnderWay>(std::move(request));
}

bool fails_now(int device) {
  static std::array<std::uint64_t, kMostDevices> launches{};
  const Machine& m = machine();
  if (!m.failing_launch || device != m.failing_device) return false;
  if (++launches[static_cast<std::size_t>(device)] < m.failing_launch) return false;
  say("device " + std::to_string(device) + " fails, as WARPLADDER_FAIL asks");
  raise_sticky(cudaErrorECCUncorrectable, device);
  return true;
}

}  // namespace emu::cudart
