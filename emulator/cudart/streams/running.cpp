// SPDX-License-Identifier: MIT
// A list of who does whose work, under the runtime's lock.
#include "cudart/streams/running.hpp"

#include <algorithm>
#include <thread>
#include <utility>
#include <vector>

#include "cudart/calls/lock.hpp"

namespace emu::cudart {

namespace {

struct Entry {
  std::shared_ptr<Stream> stream;
  std::thread::id thread;
};

// Never destroyed: a program may call the runtime from destructors of its own globals.
std::vector<Entry>& entries() {
  static auto* list = new std::vector<Entry>;
  return *list;
}

// A thread does not wait for itself: a host function that calls the runtime goes on.
template <class Matches>
bool others_run(const Matches& matches) {
  return std::any_of(entries().begin(), entries().end(), [&](const Entry& entry) {
    return entry.thread != std::this_thread::get_id() && matches(*entry.stream);
  });
}

}  // namespace

bool comes_before(const Stream& first, const Stream& then) {
  if (&first == &then) return true;
  if (first.device != then.device) return false;
  return (first.legacy && then.blocking()) || (then.legacy && first.blocking());
}

Running::Running(std::shared_ptr<Stream> stream) {
  entries().push_back({std::move(stream), std::this_thread::get_id()});
}

Running::~Running() {
  const auto mine = std::find_if(entries().rbegin(), entries().rend(), [](const Entry& entry) {
    return entry.thread == std::this_thread::get_id();
  });
  entries().erase(std::next(mine).base());
  api_changed();
}

bool is_behind_others(const Stream& stream) {
  return others_run([&](const Stream& other) { return comes_before(other, stream); });
}

void wait_behind_others(const Stream& stream) {
  while (!stream.capture && is_behind_others(stream)) wait_for_api_change();
}

void wait_for_device(int device) {
  while (others_run([&](const Stream& other) { return other.device == device; }))
    wait_for_api_change();
}

}  // namespace emu::cudart
