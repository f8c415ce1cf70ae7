// SPDX-License-Identifier: MIT
// What is submitted to streams and not done yet, and the clocks that go with it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cudart/environment/startup.hpp"
#include "cudart/streams/event.hpp"
#include "cudart/streams/under_way.hpp"
#include "explore/interleaver.hpp"
#include "shadow/orders.hpp"

namespace emu::cudart::work_list {

struct Item {
  std::uint64_t number = 0;
  std::shared_ptr<Stream> stream;  // nullptr: a kernel of a graph
  Operation operation;
  std::uint64_t behind = 0;       // the number of the record that it waits for
  cudaEvent_t records = nullptr;  // the event that it records
  std::uint64_t host_ps = 0;      // when it was submitted
  // For the race check: what the host had waited for then, and what comes before the event that it waits for.
  check::Orders::Clock host, event;
  bool started = false;
  bool done = false;
  bool told = false;  // its submission has returned
  cudaError_t result = cudaSuccess;
  std::unique_ptr<UnderWay> kernel;
};
using Shared = std::shared_ptr<Item>;

// Until when, by their clocks: kernels; work of the default stream; of streams that go with it; of all.
struct Ends {
  std::uint64_t compute = 0, legacy = 0, blocking = 0, all = 0;
};

struct Work {
  std::vector<Shared> items;  // in the order of their submission
  std::uint64_t next = 1;
  std::uint64_t submissions = 0;
  std::uint64_t host_ps = 0;         // the host's clock
  std::uint64_t together_since = 0;  // the latest start of those that are under way together
  std::array<Ends, kMostDevices> ends;
  std::string schedule;  // what the dice are from
  std::optional<exec::Dice> dice;
  std::shared_ptr<exec::WeakMemory> weak;
};

}  // namespace emu::cudart::work_list
