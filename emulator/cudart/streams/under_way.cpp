// SPDX-License-Identifier: MIT
// The list of work that is not done yet, and whose turn it is.
#include "cudart/streams/under_way.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cudart/calls/errors.hpp"
#include "cudart/calls/lock.hpp"
#include "cudart/devices/clock.hpp"
#include "cudart/environment/host_watch.hpp"
#include "cudart/environment/settings.hpp"
#include "cudart/environment/startup.hpp"
#include "cudart/streams/event.hpp"
#include "cudart/streams/running.hpp"
#include "cudart/streams/submit.hpp"
#include "cudart/streams/work_list.hpp"
#include "cudart/streams/work_orders.hpp"
#include "explore/interleaver.hpp"
#include "memory/address_space.hpp"

namespace emu::cudart {
namespace {

using namespace work_list;

// Never destroyed: a program may call the runtime from destructors of its own globals.
Work& work() {
  static auto* all = new Work;
  return *all;
}
Ends& ends(int device) { return work().ends[static_cast<std::size_t>(device)]; }

// The dice of the schedule from a seed; nullptr: there is none.
exec::Dice* dice() {
  Work& w = work();
  const std::string text = setting("WARPLADDER_SCHEDULE");
  if (text != w.schedule) {
    w.schedule = text;
    w.dice.reset();
    using Policy = exec::Schedule::Policy;
    if (const auto schedule = exec::parse_schedule(text);
        schedule && (schedule->policy == Policy::Random || schedule->policy == Policy::Pct))
      w.dice.emplace(schedule->seed * 0x9e3779b97f4a7c15ull + 1);
  }
  return w.dice ? &*w.dice : nullptr;
}

bool listed(std::uint64_t number) {
  const auto& items = work().items;
  return std::any_of(items.begin(), items.end(),
                     [&](const Shared& i) { return i->number == number; });
}

bool device_busy(int device) {
  const auto& items = work().items;
  return std::any_of(items.begin(), items.end(),
                     [&](const Shared& i) { return i->kernel && i->kernel->device() == device; });
}

bool ready(const Item& item) {
  if (item.started || (item.behind && listed(item.behind))) return false;
  if (item.operation.begin && item.stream && device_busy(item.stream->device)) return false;
  for (const Shared& earlier : work().items) {
    if (earlier->number == item.number) break;
    if (earlier->stream && comes_before(*earlier->stream, *item.stream)) return false;
  }
  return true;
}

void wake(const Item* except = nullptr) {
  for (const Shared& i : work().items)
    if (i->kernel && i.get() != except) i->kernel->others_changed();
}

// The clock that the item goes by cannot be before what it is behind.
std::uint64_t earliest(const Item& item) {
  const Stream& s = *item.stream;
  const Ends& e = ends(s.device);
  std::uint64_t least = item.host_ps;
  if (s.legacy) least = std::max({least, e.blocking, e.legacy});
  if (s.blocking()) least = std::max(least, e.legacy);
  if (item.operation.begin) least = std::max(least, e.compute);
  return least;
}

void close(const Shared& item) {
  Work& w = work();
  if (!item->started) order_dropped(*item);
  item->done = true;
  std::erase(w.items, item);
  if (item->stream) {
    const Stream& s = *item->stream;
    Ends& e = ends(s.device);
    e.all = std::max(e.all, s.time_ps);
    if (s.legacy) e.legacy = std::max(e.legacy, s.time_ps);
    if (s.blocking()) e.blocking = std::max(e.blocking, s.time_ps);
    if (item->operation.begin) e.compute = std::max(e.compute, s.time_ps);
  }
  if (item->result != cudaSuccess && item->told) raise_refused(item->result);
  api_changed();
}

void start(const Shared& item) {
  item->started = true;
  const std::shared_ptr<Stream> stream = item->stream;
  const OrderedAsOf as_of(*item);
  // After a failure a GPU does nothing more.
  if (device_failed(stream->device) || !item->operation.run) return close(item);
  order_start(work(), *item);
  const ClockOf clock(stream->time_ps, earliest(*item));
  if (item->operation.begin) {
    item->kernel = item->operation.begin(item->result);
    if (!item->kernel) return close(item);
    Work& w = work();
    const auto running = std::count_if(w.items.begin(), w.items.end(),
                                       [](const Shared& i) { return i->kernel != nullptr; });
    w.together_since = running == 1 ? stream->time_ps : std::max(w.together_since, stream->time_ps);
    return;
  }
  item->result = do_now(stream, item->operation);
  if (item->operation.kind == Operation::Kind::EventWait)
    if (work().weak)
      if (const auto event = find_event(std::any_cast<cudaEvent_t>(item->operation.detail)))
        work().weak->device_waits(stream->device, event->device);
  close(item);
  wake();
}

void give_turns(const Shared& item, std::uint64_t turns) {
  const std::uint64_t before = item->kernel->changes();
  bool over = false;
  {
    // Kernels that wait for each other end no earlier than the last of them has begun.
    std::optional<ClockOf> clock;
    if (item->stream) clock.emplace(item->stream->time_ps, work().together_since);
    over = item->kernel->turn(turns);
  }
  if (item->kernel->changes() != before) wake(item.get());
  if (!over) return;
  item->kernel.reset();
  close(item);
}

Shared first_ready() {
  for (const Shared& i : work().items)
    if (i->stream && ready(*i)) return i;
  return nullptr;
}

std::vector<Shared> kernels() {
  std::vector<Shared> all;
  for (const Shared& i : work().items)
    if (i->kernel) all.push_back(i);
  return all;
}

// Everything that can begin begins, and every kernel gets some turns; `restless`: only those that change something.
// Whether anything came on.
bool round(bool restless) {
  constexpr std::uint64_t kTurns = 1, kManyIdle = 4;
  bool moved = false;
  while (const Shared item = first_ready()) {
    start(item);
    moved = true;
  }
  for (const Shared& item : kernels()) {
    if (!item->kernel || item->kernel->stuck()) continue;
    if (restless && item->kernel->idle() >= kManyIdle) continue;
    give_turns(item, kTurns);
    moved = true;
  }
  return moved;
}

// One of those that could go on does. false: none can.
bool random_step(exec::Dice& dice) {
  std::vector<Shared> able;
  for (const Shared& i : work().items)
    if (i->kernel ? !i->kernel->stuck() : i->stream && ready(*i)) able.push_back(i);
  if (able.empty()) return false;
  const Shared item = able[dice.below(able.size())];
  if (item->kernel)
    give_turns(item, 1 + dice.below(std::uint64_t{1} << dice.below(8)));
  else
    start(item);
  return true;
}

// What is done when something has been submitted, or the host asks without waiting.
void go_on() {
  const HeldOpen open;
  exec::Dice* const d = dice();
  if (!d) {
    while (round(true)) {
    }
    return;
  }
  constexpr std::uint64_t kSteps[] = {1, 4, 64, 1024};
  for (std::uint64_t steps = d->below(kSteps[d->below(4)]); steps > 0 && random_step(*d); --steps) {
  }
}

bool other_host_threads() {
  std::error_code none;
  std::size_t threads = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task", none))
    threads += !entry.path().empty();
  return threads > 1;
}

// Another thread of the program may submit what all wait for. true: somebody has submitted something.
bool others_submit() {
  using namespace std::chrono_literals;
  constexpr int kPatience = 5000;  // milliseconds
  const std::uint64_t before = work().submissions;
  for (int i = 0; i < kPatience && work().submissions == before && other_host_threads(); ++i) {
    const ApiUnlock unlocked;
    std::this_thread::sleep_for(1ms);
  }
  return work().submissions != before;
}

// Nothing can ever go on: the kernels that wait fail, and with them their devices.
void fail_all() {
  for (const Shared& item : kernels()) {
    item->kernel->give_up();
    item->kernel.reset();
    close(item);
  }
}

void finish_until(const std::function<bool()>& done) {
  const HeldOpen open;
  wake();  // the host may have changed what kernels look at
  for (std::uint64_t i = 0; !done(); ++i) {
    exec::Dice* const d = dice();
    if (d ? random_step(*d) : round(false)) {
      if (i % 64 == 63 && other_host_threads()) const ApiUnlock let_them;
      continue;
    }
    if (others_submit()) continue;
    if (kernels().empty()) return;  // what is left is being done by somebody who waits for us
    fail_all();
  }
}

Shared add(const std::shared_ptr<Stream>& stream, Operation operation) {
  Work& w = work();
  auto item = std::make_shared<Item>();
  item->number = w.next++;
  item->stream = stream;
  item->operation = std::move(operation);
  item->host_ps = w.host_ps;
  const auto* event = std::any_cast<cudaEvent_t>(&item->operation.detail);
  using Kind = Operation::Kind;
  if (event && item->operation.kind == Kind::EventRecord) item->records = *event;
  if (event && item->operation.kind == Kind::EventWait)
    for (const Shared& i : w.items)
      if (i->records == *event) item->behind = i->number;
  order_submitted(*item);
  w.items.push_back(item);
  ++w.submissions;
  wake();
  return item;
}

// Ordinary host memory may change as soon as the call has returned.
bool uses_pageable(const Operation& operation) {
  const auto* copy = std::any_cast<cudaMemcpy3DParms>(&operation.detail);
  if (!copy) return false;
  const auto& space = memory::AddressSpace::instance();
  for (const void* pointer : {copy->srcPtr.ptr, copy->dstPtr.ptr})
    if (pointer && !space.find(reinterpret_cast<memory::Address>(pointer))) return true;
  return false;
}

bool none_before(const Stream& stream) {
  const auto& items = work().items;
  return std::none_of(items.begin(), items.end(), [&](const Shared& i) {
    return i->stream && comes_before(*i->stream, stream);
  });
}

bool none_records(cudaEvent_t event) {
  const auto& items = work().items;
  return std::none_of(items.begin(), items.end(),
                      [&](const Shared& i) { return i->records == event; });
}

// The host has waited for something of the device that was done at this time.
void host_waited_until(std::uint64_t ps, int device) {
  Work& w = work();
  w.host_ps = std::max(w.host_ps, ps);
  if (!w.weak) return;
  w.weak->host_waits(device);
  if (w.items.empty()) w.weak.reset();  // all is done: nothing older can be read any more
}

void host_waited_until(const Stream& stream) {
  const std::uint64_t with = stream.legacy ? ends(stream.device).blocking : 0;
  host_waited_until(std::max(stream.time_ps, with), stream.device);
}

}  // namespace

cudaError_t submit_with_others(const std::shared_ptr<Stream>& stream, Operation operation) {
  const bool waits = uses_pageable(operation);
  const Shared item = add(stream, std::move(operation));
  go_on();
  if (waits && !item->done) finish_until([&] { return item->done; });
  item->told = true;
  return item->done ? item->result : cudaSuccess;
}

cudaError_t wait_with_others(const std::shared_ptr<Stream>& stream, Operation operation) {
  const Shared item = add(stream, std::move(operation));
  finish_until([&] { return item->done; });
  host_waited_until(*stream);
  return item->result;
}

cudaError_t run_beside_others(const Operation& operation, int device) {
  {
    const OrderedAgain node;
    finish_until([&] { return !device_busy(device); });
  }
  const Shared item = add(nullptr, operation);
  item->started = true;
  item->kernel = item->operation.begin(item->result);
  if (!item->kernel) {
    std::erase(work().items, item);
    return item->result;
  }
  finish_until([&] { return item->done; });
  return item->result;
}

void finish_before(const Stream& stream) {
  finish_until([&] { return none_before(stream); });
  host_waited_until(stream);
}

void finish_device(int device) {
  finish_until([&] {
    const auto& items = work().items;
    return std::none_of(items.begin(), items.end(),
                        [&](const Shared& i) { return i->stream && i->stream->device == device; });
  });
  host_waited_until(ends(device).all, device);
}

void finish_event(cudaEvent_t event) {
  finish_until([&] { return none_records(event); });
  if (const auto found = find_event(event)) host_waited_until(found->time_ps, found->device);
}

bool done_before(const Stream& stream) {
  const HeldOpen open;
  if (!dice()) round(false);
  go_on();
  return none_before(stream);
}

bool done_event(cudaEvent_t event) {
  const HeldOpen open;
  if (!dice()) round(false);
  go_on();
  return none_records(event);
}

std::shared_ptr<exec::WeakMemory> shared_weak_memory(std::uint64_t seed) {
  auto& weak = work().weak;
  if (!weak) weak = std::make_shared<exec::WeakMemory>(seed, true);
  return weak;
}

void forget_work(int device) {
  for (const Shared& item : std::vector<Shared>(work().items))
    if (item->stream && item->stream->device == device) {
      item->kernel.reset();
      close(item);
    }
}

}  // namespace emu::cudart
