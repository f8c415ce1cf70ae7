// SPDX-License-Identifier: MIT
// The runtime's lock and how deep this thread holds it.
#include "cudart/calls/lock.hpp"

#include <condition_variable>
#include <mutex>
#include <utility>

namespace emu::cudart {

namespace {

thread_local int levels = 0;
int waiting = 0;  // threads in wait_for_api_change()

// Never destroyed: a program may call the runtime from destructors of its own globals.
std::recursive_mutex& api_mutex() {
  static auto* mutex = new std::recursive_mutex;
  return *mutex;
}

std::condition_variable_any& changed() {
  static auto* condition = new std::condition_variable_any;
  return *condition;
}

// All levels of this thread as one lock, for the condition.
struct AllLevels {
  void unlock() {
    held = std::exchange(levels, 0);
    for (int i = 0; i < held; ++i) api_mutex().unlock();
  }
  void lock() {
    for (int i = 0; i < held; ++i) api_mutex().lock();
    levels = held;
  }
  int held = 0;
};

}  // namespace

ApiLock::ApiLock() {
  api_mutex().lock();
  ++levels;
}

ApiLock::~ApiLock() {
  --levels;
  api_mutex().unlock();
}

ApiUnlock::ApiUnlock() {
  AllLevels all;
  all.unlock();
  levels_ = all.held;
}

ApiUnlock::~ApiUnlock() { AllLevels{levels_}.lock(); }

void wait_for_api_change() {
  AllLevels all;
  ++waiting;
  changed().wait(all);
  --waiting;
}

void api_changed() {
  if (waiting != 0) changed().notify_all();
}

}  // namespace emu::cudart
